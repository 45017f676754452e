/** What the demo prints: one block for each tool call, with what the model saw and what it cost. */
import { heuristicEstimator } from "hango";
import { printedDiff } from "../agent/show-diff.ts";
import { count, counted, plain as harmless, styled } from "../output.ts";

const SHOWN_LINES = 11;
const SHOWN_DIFF = 24;
/** Characters of a line, in a terminal that is wide enough: a stored result's path in one piece. */
const WIDEST = 108;
const NARROWEST = 40;
const MARGIN = 7;
const NAME = 20;

const write = (text: string): void => void process.stdout.write(`${text}\n`);
export const tokens = (text: string): number => heuristicEstimator.estimate(text);

export interface Screen {
  readonly title: (text: string) => void;
  /** Whole, however long. */
  readonly line: (text: string) => void;
  /** Broken between words where the terminal ends. */
  readonly text: (text: string) => void;
  readonly note: (text: string) => void;
  readonly fact: (name: string, value: string) => void;
  /** Something that the next progress replaces, an empty one for good; nothing where nobody watches. */
  readonly progress: (text: string) => void;
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => void;
  readonly seen: (text: string, more?: { readonly rawTokens?: number }) => void;
  /** A line of content, cut to the terminal. */
  readonly row: (text: string) => void;
  /** A unified diff in colours, its first lines. */
  readonly diff: (text: string) => void;
}

export function screen(): Screen {
  let calls = 0;
  const row = (text: string): void => write(`     │ ${clip(text, width() - MARGIN)}`);
  return {
    title: (text) => write(`\n${styled("bold", plain(text))}`),
    line: (text) => write(`  ${plain(text)}`),
    text: (text) => {
      for (const line of text.split("\n").flatMap((long) => wrapped(long, width() - 2))) write(`  ${line}`);
    },
    note: (text) => write(`\n${styled("magenta", `  ── ${plain(text)}`)}`),
    fact: (name, value) => {
      for (const [index, line] of wrapped(value, width() - NAME - 2).entries()) write(`  ${styled("dim", (index === 0 ? name : "").padEnd(NAME))}${line}`);
    },
    progress: (text) => {
      if (process.stdout.isTTY) process.stdout.write(`  ${clip(text, width() - MARGIN)}\u001B[K\r`);
    },
    call: (tool, input) => {
      const shown = clip(JSON.stringify(input), width() - tool.length - MARGIN);
      write(`\n${styled("cyan", String(++calls).padStart(3))}  ${styled(["bold", "cyan"], tool)} ${styled("dim", shown)}`);
    },
    seen: (text, { rawTokens } = {}) => {
      const lines = text.trimEnd().split("\n");
      const styles = stylesOf(lines);
      const shown = lines.map((line, index) => {
        const text = `     │ ${clip(line, width() - MARGIN)}`;
        const format = styles[index];
        return format === undefined ? text : styled(format, text);
      });
      for (const line of lines.length > SHOWN_LINES ? [...shown.slice(0, SHOWN_LINES - 3), "     │ …", ...shown.slice(-2)] : shown) write(line);
      write(styled("dim", `     └ ${costOf(tokens(text), rawTokens)}`));
    },
    row,
    diff: (text) => {
      const lines = text.trimEnd().split("\n");
      const shown = lines.slice(0, SHOWN_DIFF).map((line) => clip(line, width() - MARGIN));
      for (const line of printedDiff(shown.join("\n")).trimEnd().split("\n")) write(`     │ ${line}`);
      if (lines.length > SHOWN_DIFF) row(`… and ${count(lines.length - SHOWN_DIFF)} lines more`);
    },
  };
}

/** An error is yellow; in the diff that an edit or a conflict shows, what went is red and what came is green. */
function stylesOf(lines: readonly string[]): readonly ("yellow" | "red" | "green" | undefined)[] {
  const failed = lines[0]?.startsWith("Error (") === true;
  const from = lines.findIndex((line) => /^@@ -\d.*@@/.test(line));
  return lines.map((line, index) => {
    if (from >= 0 && index > from && line.startsWith("+")) return "green";
    if (from >= 0 && index > from && line.startsWith("-")) return "red";
    return failed ? "yellow" : undefined;
  });
}

function costOf(seen: number, raw: number | undefined): string {
  if (raw === undefined || raw <= seen) return counted(seen, "token");
  return `${counted(raw, "token")} before → ${count(seen)} after: ${(((raw - seen) / raw) * 100).toFixed(1)} % of it never entered the context`;
}

const width = (): number => Math.max(NARROWEST, Math.min(WIDEST, process.stdout.columns ?? WIDEST));

/** A word that is longer than a line stays whole. */
function wrapped(text: string, chars: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of plain(text).split(/(?<=\S)(?= )/)) {
    if (line !== "" && line.length + word.length > chars) {
      lines.push(line);
      line = word.trimStart();
    } else line += word;
  }
  return [...lines, line];
}

function clip(text: string, chars: number): string {
  const points = [...plain(text)];
  return points.length <= chars ? points.join("") : `${points.slice(0, chars - 1).join("")}…`;
}

/** What a file holds must not move the cursor, colour the rest or turn a line around; a tab's width would not be known. */
export function plain(text: string): string {
  return harmless(text).replaceAll("\t", "  ");
}
