/** Picks what the scripted agent works on, in whatever tree it was given. */
import { type FileSystem, HangoError } from "hango";

export interface Target {
  readonly path: string;
  /** A line that stands exactly once in the file, and its number. */
  readonly line: string;
  readonly number: number;
}

/** What code, and most prose, has in some file. */
export const LANDMARK = "\\b(function|class|def|func|interface|the)\\b";
const MAX_CANDIDATES = 50;

/** The first file with a landmark line that an exact edit can name. Errors: not_found when the tree has no text to work on. */
export async function chooseTarget(fs: FileSystem): Promise<Target> {
  const { matches } = await fs.grep(LANDMARK, { maxCount: 1_000 });
  const candidates = [...Map.groupBy(matches, (match) => match.path)].filter(([path]) => !/^\/(memories|skills|large_tool_results|conversation_history)\//.test(path));
  for (const [path, found] of candidates.slice(0, MAX_CANDIDATES)) {
    const { lines, nextOffset } = await fs.read(path);
    if (nextOffset !== undefined) continue;
    const whole = lines.map((line) => line.text).join("\n");
    for (const { text, line } of found) if (text.trim().length >= 12 && text.length < 200 && whole.split(text).length === 2) return { path, line: text, number: line };
  }
  throw new HangoError("not_found", "The demo found no text file to work on. Name a directory that holds some source code or prose.");
}
