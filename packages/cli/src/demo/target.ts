/** Picks what the scripted agent works on, in whatever tree it was given. */
import { type FileSystem, HangoError, placeOf } from "hango";

export interface Target {
  readonly path: string;
  /** A line that stands exactly once in the file, and its number. */
  readonly line: string;
  readonly number: number;
}

/** What code has in some file. */
export const LANDMARK = "\\b(function|class|def|func|interface)\\b";
/** What any text has, where there is no code. */
const ANY_TEXT = "[[:alpha:]]{4,}";
const MAX_CANDIDATES = 50;
const MAX_MATCHES = 1_000;
/** A file that the screen and the model can take in whole. */
const MAX_LINES = 300;

/** The first file with a landmark line that an exact edit can name. Errors: not_found when the tree has no text to work on. */
export async function chooseTarget(fs: FileSystem): Promise<Target> {
  for (const [pattern, include] of [
    [LANDMARK, "*.{ts,tsx,js,jsx,mjs,py,go,rs,java,rb,c,h,cc,cpp,cs,php,swift,kt}"],
    [LANDMARK, "**"],
    [ANY_TEXT, "**"],
  ] as const) {
    const { matches } = await fs.grep(pattern, { include, maxCount: MAX_MATCHES });
    const candidates = [...Map.groupBy(matches, (match) => match.path)].filter(([path]) => placeOf(path.slice(1)).kind === "ordinary");
    for (const [path, found] of candidates.slice(0, MAX_CANDIDATES)) {
      const { lines, nextOffset } = await fs.read(path, { limit: MAX_LINES });
      if (nextOffset !== undefined || lines.some((line) => line.clipped)) continue;
      const whole = lines.map((line) => line.text).join("\n");
      for (const { text, line } of found)
        if (text.trim().length >= 12 && text.length < 200 && whole.split(text).length === 2) return { path, line: text, number: line };
    }
  }
  throw new HangoError("not_found", "The demo found no text file to work on. Name a directory that holds some source code or prose.");
}
