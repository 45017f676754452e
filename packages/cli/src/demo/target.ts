/** Picks what the scripted agent works on, in whatever tree it was given. */
import { type FileSystem, HangoError, isHangoError, placeOf } from "hango";

export interface Target {
  readonly path: string;
  /** A line that stands exactly once in the file, and its number. */
  readonly line: string;
  readonly number: number;
}

/** What code has in some file. */
export const LANDMARK = "\\b(function|class|def|func|interface)\\b";
/** What any text has, where there is no code. */
const ANY_TEXT = "[A-Za-z]{4,}";
const CODE = "*.{ts,tsx,js,jsx,mjs,py,go,rs,java,rb,c,h,cc,cpp,cs,php,swift,kt}";
/** Files that are looked into, of each kind: the whole of a large tree would take its time. */
const MAX_CANDIDATES = 200;
/** A file that the screen and the model can take in whole. */
const MAX_LINES = 300;

/** The first file with a landmark line that an exact edit can name. Errors: not_found when the tree has no text to work on. */
export async function chooseTarget(fs: FileSystem): Promise<Target> {
  for (const [pattern, include] of [
    [LANDMARK, CODE],
    [LANDMARK, "**"],
    [ANY_TEXT, "**"],
  ] as const) {
    const { paths } = await fs.glob(include, { maxCount: MAX_CANDIDATES });
    for (const path of paths) {
      if (placeOf(path.slice(1)).kind !== "ordinary") continue;
      const found = await landmarkOf(fs, path, new RegExp(pattern));
      if (found !== undefined) return found;
    }
  }
  throw new HangoError("not_found", "The demo found no text file to work on. Name a directory that holds some source code or prose.");
}

async function landmarkOf(fs: FileSystem, path: string, landmark: RegExp): Promise<Target | undefined> {
  const window = await fs.read(path, { limit: MAX_LINES }).catch((error: unknown) => {
    if (isHangoError(error, "not_text")) return undefined;
    throw error;
  });
  if (window === undefined || window.nextOffset !== undefined || window.lines.some((line) => line.clipped)) return undefined;
  const whole = window.lines.map((line) => line.text).join("\n");
  const found = window.lines.find(
    ({ text }) => text.trim().length >= 12 && text.length < 200 && landmark.test(text) && whole.indexOf(text) === whole.lastIndexOf(text),
  );
  return found === undefined ? undefined : { path, line: found.text, number: found.number };
}
