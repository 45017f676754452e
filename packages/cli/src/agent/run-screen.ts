/** What a run shows as it goes: the model's words as they come, and one line for each tool call. */
import { plain, styled } from "../output.ts";

const MAX_ARGUMENT_CHARS = 60;
const MAX_OUTCOME_CHARS = 100;

export interface CallShown {
  readonly tool: string;
  readonly input: unknown;
  readonly outcome: string;
  readonly failed: boolean;
  readonly ms: number;
}

export interface RunScreen {
  /** A piece of the model's text, written at once. */
  readonly text: (piece: string) => void;
  readonly call: (call: CallShown) => void;
  readonly fact: (name: string, value: string) => void;
  /** Ends the line that the model's text left open. */
  readonly rest: () => void;
}

export function runScreen(write: (text: string) => void): RunScreen {
  let open = false;
  const rest = (): void => {
    if (open) write("\n");
    open = false;
  };
  return {
    text: (piece) => {
      if (piece === "") return;
      write(plainText(piece));
      open = !piece.endsWith("\n");
    },
    call: ({ tool, input, outcome, failed, ms }) => {
      rest();
      const shown = `${styled(failed ? "yellow" : "cyan", `${failed ? "✗" : "✓"} ${plain(tool)}`)} ${clip(mainArgument(input), MAX_ARGUMENT_CHARS)}`;
      write(`${shown} ${styled("dim", `${clip(outcome, MAX_OUTCOME_CHARS)} (${duration(ms)})`)}\n`);
    },
    fact: (name, value) => write(`${styled("dim", name.padEnd(8))}${plain(value)}\n`),
    rest,
  };
}

/** What a call is about: the pattern and where, or the path. */
export function mainArgument(input: unknown): string {
  if (typeof input !== "object" || input === null) return typeof input === "string" ? input : "";
  const given = input as Readonly<Record<string, unknown>>;
  const text = (name: string): string | undefined => (typeof given[name] === "string" ? (given[name] as string) : undefined);
  const pattern = text("pattern") ?? text("query");
  const path = text("path");
  if (pattern !== undefined) return JSON.stringify(pattern) + (path === undefined ? "" : ` in ${path}`);
  return path ?? "";
}

/** "12 ms", "3.4 s" */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Several lines of text without anything that moves the cursor. */
function plainText(text: string): string {
  return text.replaceAll("\r\n", "\n").split("\n").map(plain).join("\n");
}

function clip(text: string, chars: number): string {
  const points = [...plain(text)];
  return points.length <= chars ? points.join("") : `${points.slice(0, chars - 1).join("")}…`;
}
