/** What the commands print: text or one JSON value on stdout, words for a person on stderr. */
import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Writes text as it is and waits until it is taken, so that a slow reader holds the command back and not its memory. */
export function print(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    // A reader that has gone is main's to see.
    process.stdout.write(text, () => resolve());
  });
}

/** Writes a line. */
export function printLine(text: string): Promise<void> {
  return print(`${text}\n`);
}

/** Writes one value as JSON. */
export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Says something to the person at the terminal, beside the output. */
export function say(text: string): void {
  process.stderr.write(`hango: ${text}\n`);
}

/** Styles text for stdout; nothing where nobody watches or NO_COLOR is set. */
export function styled(format: Format, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** "1,204" */
export function count(n: number): string {
  return n.toLocaleString("en-US");
}

/** "1 file", "1,204 files" */
export function counted(n: number, unit: string, plural: string = `${unit}s`): string {
  return `${count(n)} ${n === 1 ? unit : plural}`;
}

const UNITS: readonly string[] = ["KB", "MB", "GB", "TB"];

/** "840 bytes", "1.2 MB". Units: of 1000. */
export function size(bytes: number): string {
  if (bytes < 1000) return counted(bytes, "byte");
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power - 1] ?? ""}`;
}

/** A name or a line of a file as a terminal may show it: nothing in it moves the cursor, colours the rest, turns a line around or hides. ZWJ stays: emoji need it. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u061C\u200B\u200E\u200F\u2028\u2029\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu, (character) =>
    character === "\t" ? "\t" : "\uFFFD",
  );
}
