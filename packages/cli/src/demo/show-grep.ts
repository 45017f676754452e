/** One search over the whole imported tree, with what it found and how long it took. */
import { type FileSystem, isHangoError } from "hango";
import { count, counted } from "../output.ts";
import type { Screen } from "./screen.ts";
import type { Target } from "./target.ts";

const SHOWN_MATCHES = 4;

/** The longest word of the line that the agent works on: other files may use it too. */
export function wordOf({ line }: Pick<Target, "line">): string {
  const words = line.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [line];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest));
}

export async function showGrep(out: Screen, fs: FileSystem, { word, files }: { readonly word: string; readonly files: number }): Promise<void> {
  out.title(`A grep for “${word}” over the whole tree`);
  const started = performance.now();
  const found = await fs.grep(word, { literal: true }).catch((error: unknown) => {
    if (isHangoError(error, "timeout")) return error;
    throw error;
  });
  if (found instanceof Error) return out.fact("stopped", found.message);
  const took = `${Math.max(1, Math.round(performance.now() - started))} ms`;
  const paths = new Set(found.matches.map(({ path }) => path));
  const lines = `${found.truncated ? "more than " : ""}${counted(found.matches.length, "line")} in ${counted(paths.size, "file")}`;
  out.fact("found", `${lines}, of ${counted(files, "file")}, in ${took}`);
  for (const { path, line, text } of found.matches.slice(0, SHOWN_MATCHES)) out.row(`${path}:${line}: ${text.trim()}`);
  if (found.matches.length > SHOWN_MATCHES) out.row(`… and ${count(found.matches.length - SHOWN_MATCHES)} more`);
}
