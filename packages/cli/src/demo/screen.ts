/** What the demo prints: one block for each tool call, with what the model saw and what it cost. */
import { styleText } from "node:util";
import { heuristicEstimator } from "hango";

const SHOWN_LINES = 13;
/** Characters of a line, in a terminal that is wide enough. */
const WIDEST = 117;
const NARROWEST = 40;
const MARGIN = 7;

const write = (text: string): void => void process.stdout.write(`${text}\n`);
const style = (format: Parameters<typeof styleText>[0], text: string): string => styleText(format, text, { stream: process.stdout });
export const count = (n: number): string => n.toLocaleString("en-US");
export const counted = (n: number, unit: string): string => `${count(n)} ${unit}${n === 1 ? "" : "s"}`;
export const tokens = (text: string): number => heuristicEstimator.estimate(text);

export interface Screen {
  readonly title: (text: string) => void;
  readonly line: (text: string) => void;
  readonly note: (text: string) => void;
  readonly fact: (name: string, value: string) => void;
  /** Something that the next progress replaces, an empty one for good; nothing where nobody watches. */
  readonly progress: (text: string) => void;
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => void;
  readonly seen: (text: string, more?: { readonly rawTokens?: number }) => void;
}

export function screen(): Screen {
  let calls = 0;
  return {
    title: (text) => write(`\n${style("bold", plain(text))}`),
    line: (text) => {
      for (const line of text.split("\n")) write(`  ${plain(line)}`);
    },
    note: (text) => write(style("magenta", `\n  ── ${plain(text)}`)),
    fact: (name, value) => write(`  ${style("dim", name.padEnd(20))}${plain(value)}`),
    progress: (text) => {
      if (process.stdout.isTTY) process.stdout.write(`  ${clip(text, width() - MARGIN)}\u001B[K\r`);
    },
    call: (tool, input) => {
      const shown = clip(JSON.stringify(input), width() - tool.length - MARGIN);
      write(`\n${style("cyan", String(++calls).padStart(3))}  ${style(["bold", "cyan"], tool)} ${style("dim", shown)}`);
    },
    seen: (text, { rawTokens } = {}) => {
      const failed = text.startsWith("Error (");
      const lines = text.trimEnd().split("\n");
      const shown = lines.length > SHOWN_LINES ? [...lines.slice(0, SHOWN_LINES - 3), "…", ...lines.slice(-2)] : lines;
      for (const line of shown) write(style(failed ? "yellow" : "reset", `     │ ${clip(line, width() - MARGIN)}`));
      write(style("dim", `     └ ${costOf(tokens(text), rawTokens)}`));
    },
  };
}

function costOf(seen: number, raw: number | undefined): string {
  if (raw === undefined || raw <= seen) return counted(seen, "token");
  return `${counted(raw, "token")} before → ${count(seen)} after: ${(((raw - seen) / raw) * 100).toFixed(1)} % of it never entered the context`;
}

const width = (): number => Math.max(NARROWEST, Math.min(WIDEST, process.stdout.columns ?? WIDEST));

function clip(text: string, chars: number): string {
  const points = [...plain(text)];
  return points.length <= chars ? points.join("") : `${points.slice(0, chars - 1).join("")}…`;
}

/** What a file holds must not move the cursor, colour the rest or turn a line around; a tab's width would not be known. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (character) => (character === "\t" ? "  " : "\uFFFD"));
}
