/** The one definition of a line: it ends at LF and at nothing else. */

/**
 * The lines of a text as matched and shown: one byte order mark at the very start and one CR before each LF are not
 * part of them. A final LF opens no line, an empty text has none, and a last line without LF keeps its CR.
 */
export function splitLines(content: string): string[] {
  if (content === "") return [];
  const lines = content.split("\n");
  const last = lines.length - 1;
  for (let index = 0; index < last; index++) {
    const line = lines[index] as string;
    if (line.charCodeAt(line.length - 1) === 0x0d) lines[index] = line.slice(0, -1);
  }
  if (lines[last] === "") lines.pop();
  if (content.charCodeAt(0) === 0xfeff) lines[0] = (lines[0] as string).slice(1);
  return lines;
}

/** How many lines splitLines gives, without making them. */
export function countLines(content: string): number {
  if (content === "") return 0;
  let count = content.endsWith("\n") ? 0 : 1;
  for (let at = content.indexOf("\n"); at >= 0; at = content.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** The line that begins at `start`, as splitLines gives it. */
export function lineAt(content: string, start: number): string {
  const lf = content.indexOf("\n", start);
  if (lf < 0) return content.slice(start);
  return content.slice(start, lf > start && content.charCodeAt(lf - 1) === 0x0d ? lf - 1 : lf);
}

/** Where the line before the one at `start` begins; undefined for the first. */
export function lineBefore(content: string, start: number): number | undefined {
  const first = content.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (start <= first) return undefined;
  return Math.max(first, start < 2 ? 0 : content.lastIndexOf("\n", start - 2) + 1);
}

/** Where the line after the one at `start` begins; undefined for the last. */
export function lineAfter(content: string, start: number): number | undefined {
  const lf = content.indexOf("\n", start);
  return lf < 0 || lf + 1 === content.length ? undefined : lf + 1;
}
