/** What the demo prints: one block for each tool call, with what the model saw and what it cost. */
import { styleText } from "node:util";
import { heuristicEstimator } from "hango";

const SHOWN_LINES = 13;
const SHOWN_CHARS = 110;

const write = (text: string): void => void process.stdout.write(`${text}\n`);
const style = (format: Parameters<typeof styleText>[0], text: string): string => styleText(format, text, { stream: process.stdout });
export const count = (n: number): string => n.toLocaleString("en-US");
export const tokens = (text: string): number => heuristicEstimator.estimate(text);

export interface Screen {
  readonly title: (text: string) => void;
  readonly line: (text: string) => void;
  readonly note: (text: string) => void;
  readonly fact: (name: string, value: string) => void;
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => void;
  readonly seen: (text: string, more?: { readonly rawTokens?: number }) => void;
}

export function screen(): Screen {
  let calls = 0;
  return {
    title: (text) => write(`\n${style("bold", text)}`),
    line: (text) => write(`  ${text}`),
    note: (text) => write(style("magenta", `\n  ── ${text}`)),
    fact: (name, value) => write(`  ${style("dim", name.padEnd(20))}${value}`),
    call: (tool, input) =>
      write(`\n${style("cyan", String(++calls).padStart(3))}  ${style(["bold", "cyan"], tool)} ${style("dim", clip(JSON.stringify(input), SHOWN_CHARS + 40))}`),
    seen: (text, { rawTokens } = {}) => {
      const failed = text.startsWith("Error (");
      const lines = text.trimEnd().split("\n");
      const shown = lines.length > SHOWN_LINES ? [...lines.slice(0, SHOWN_LINES - 3), "…", ...lines.slice(-2)] : lines;
      for (const line of shown) write(style(failed ? "yellow" : "reset", `     │ ${clip(line, SHOWN_CHARS)}`));
      const cost =
        rawTokens === undefined
          ? `${count(tokens(text))} tokens`
          : `${count(rawTokens)} tokens before → ${count(tokens(text))} after: ${(((rawTokens - tokens(text)) / rawTokens) * 100).toFixed(1)} % of it never entered the context`;
      write(style("dim", `     └ ${cost}`));
    },
  };
}

function clip(text: string, chars: number): string {
  const points = [...text];
  return points.length <= chars ? text : `${points.slice(0, chars - 1).join("")}…`;
}
