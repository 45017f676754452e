/** Unified diffs for reading. Lines end at LF only, so a lone CR or U+2028 is an ordinary character and a change of line ends shows. */
// The package as a whole also brings its differs of words and sentences, which no bundler can drop.
import { diffArrays } from "diff/lib/diff/array.js";
import { shownPath } from "../errors.ts";
import { DIFF_TIMEOUT_MS, MAX_DIFF_EDITS } from "../limits.ts";
import { countLines } from "./lines.ts";

/**
 * One file's diff with its headers; "" when nothing changed. An undefined side is a file that is not there (`/dev/null`).
 * Limits: past MAX_DIFF_EDITS edits or DIFF_TIMEOUT_MS one hunk replaces all that lies between the equal ends.
 */
export function unifiedFileDiff(path: string, before: string | undefined, after: string | undefined, options: { readonly context?: number } = {}): string {
  if (before === after) return "";
  const name = shownPath(path);
  const head = `--- ${before === undefined ? "/dev/null" : `a${name}`}\n+++ ${after === undefined ? "/dev/null" : `b${name}`}\n`;
  return head + hunksOf(before ?? "", after ?? "", { context: options.context ?? 3 }).join("");
}

/** UTF-16 units of a change that shortDiff looks at: what it shows is far shorter, and a diff of all of it would hold the event loop. */
const SHORT_DIFF_CHARS = 16 * 1024;
/** Edits that shortDiff looks for: finding them takes their square. */
const SHORT_DIFF_EDITS = 400;

/** The hunks alone, cut on whole lines to `maxChars` (UTF-16 units) with a note that says so. */
export function shortDiff(path: string, before: string, after: string, maxChars: number): string {
  const { start, beforeEnd, afterEnd } = changedPart(before, after, 3);
  const isLong = Math.max(beforeEnd, afterEnd) - start > SHORT_DIFF_CHARS;
  const head = (text: string): string => {
    const end = lineStart(text, start + SHORT_DIFF_CHARS);
    return isLong ? text.slice(0, end > start ? end : start + SHORT_DIFF_CHARS) : text;
  };
  const full = hunksOf(head(before), head(after), { context: 3, maxEdits: SHORT_DIFF_EDITS }).join("");
  if (!isLong && full.length <= maxChars) return full;
  const note = `… (diff cut; read ${shownPath(path)} for the rest)\n`;
  if (note.length > maxChars) return "";
  const end = full.lastIndexOf("\n", maxChars - note.length - 1);
  return full.slice(0, end + 1) + note;
}

type Edit = { readonly sign: " " | "-" | "+"; readonly line: string };

export interface HunkOptions {
  readonly context: number;
  readonly maxEdits?: number;
  /** Nothing is left of it at 0: then what differs is replaced at once. */
  readonly timeoutMs?: number;
}

/** The hunks of one file, each with its head. Limits: as unifiedFileDiff. */
export function hunksOf(before: string, after: string, options: HunkOptions): string[] {
  const { context, maxEdits = MAX_DIFF_EDITS, timeoutMs = DIFF_TIMEOUT_MS } = options;
  const { start, beforeEnd, afterEnd } = changedPart(before, after, context);
  const edits = editsOf(toLines(before.slice(start, beforeEnd)), toLines(after.slice(start, afterEnd)), { maxEdits, timeoutMs });
  const changed = edits.flatMap((edit, index) => (edit.sign === " " ? [] : [index]));
  const hunks: string[] = [];
  let oldLine = countLines(before.slice(0, start)) + 1;
  let newLine = oldLine;
  let done = 0;
  for (let next = 0; next < changed.length;) {
    const first = changed[next] as number;
    let last = first;
    while (next < changed.length && (changed[next] as number) - last <= 2 * context + 1) last = changed[next++] as number;
    const from = Math.max(done, first - context);
    const to = Math.min(edits.length, last + 1 + context);
    // Between two hunks all lines are equal, so both sides move alike.
    oldLine += from - done;
    newLine += from - done;
    const shown = edits.slice(from, to);
    const olds = shown.filter((edit) => edit.sign !== "+").length;
    const news = shown.filter((edit) => edit.sign !== "-").length;
    hunks.push(`@@ -${range(oldLine, olds)} +${range(newLine, news)} @@\n${shown.map(printLine).join("")}`);
    oldLine += olds;
    newLine += news;
    done = to;
  }
  return hunks;
}

/** Where the texts differ, widened to whole lines and by the context: a small change of a large file must not cost a walk over all its lines. */
function changedPart(before: string, after: string, context: number): { readonly start: number; readonly beforeEnd: number; readonly afterEnd: number } {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  let start = lineStart(before, same);
  let tail = 0;
  while (tail < shorter - start && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  for (let lines = 0; lines < context && start > 0; lines++) start = lineStart(before, start - 1);
  let beforeEnd = before.length - tail;
  // What the ends share may begin inside a line: one LF more brings it to a line's start.
  for (let lines = -1; lines < context && beforeEnd < before.length; lines++) {
    const lf = before.indexOf("\n", beforeEnd);
    beforeEnd = lf < 0 ? before.length : lf + 1;
  }
  return { start, beforeEnd, afterEnd: after.length - (before.length - beforeEnd) };
}

function lineStart(text: string, index: number): number {
  return index <= 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
}

/** An empty range names the line before it, as diff and git do. */
function range(start: number, count: number): string {
  if (count === 0) return `${start - 1},0`;
  return count === 1 ? `${start}` : `${start},${count}`;
}

function printLine({ sign, line }: Edit): string {
  return line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}

/** Each line with its LF, so that a missing last one is a difference. */
function toLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() as string;
  const whole = lines.map((line) => `${line}\n`);
  if (last !== "") whole.push(last);
  return whole;
}

type Bounds = Required<Pick<HunkOptions, "maxEdits" | "timeoutMs">>;

function editsOf(before: readonly string[], after: readonly string[], bounds: Bounds): Edit[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return [
    ...signed(" ", before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail), bounds),
    ...signed(" ", before.slice(before.length - tail)),
  ];
}

function signed(sign: Edit["sign"], lines: readonly string[]): Edit[] {
  return lines.map((line) => ({ sign, line }));
}

function middle(before: readonly string[], after: readonly string[], { maxEdits, timeoutMs }: Bounds): Edit[] {
  // Numbers compare in one step; long equal lines, compared again and again, do not.
  const numbers = new Map<string, number>();
  const number = (line: string): number => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  };
  const changes =
    before.length === 0 || after.length === 0 || timeoutMs <= 0
      ? undefined
      : diffArrays(before.map(number), after.map(number), { maxEditLength: maxEdits, timeout: timeoutMs });
  if (changes === undefined) return [...signed("-", before), ...signed("+", after)];
  let oldAt = 0;
  let newAt = 0;
  return changes.flatMap(({ added: isNew, removed: isOld, value: { length } }) => {
    const lines = isNew ? after.slice(newAt, newAt + length) : before.slice(oldAt, oldAt + length);
    if (!isOld) newAt += length;
    if (!isNew) oldAt += length;
    return signed(isNew ? "+" : isOld ? "-" : " ", lines);
  });
}
