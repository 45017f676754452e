import { HangoError, shownPath } from "../../errors.ts";
import { MAX_EMBEDDED_BYTES, MAX_EMBEDDED_FILES } from "../../limits.ts";
import { parseFilePath } from "../../path/path.ts";
import { quoteText } from "../../text/quote.ts";
import { bytesOf, type FsLike } from "./entries.ts";

interface Entry {
  readonly name: string;
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
}

interface Reader {
  readonly readdirSync: (path: string, options: { readonly withFileTypes: true }) => readonly Entry[];
  readonly readFileSync: (path: string) => unknown;
}

/**
 * Reads every regular file below a directory; links and special files are no part of a corpus. A path of the contract ends every loop.
 * Errors: not_found for the directory, invalid_path for a name that is no path, too_large. Limits: MAX_EMBEDDED_FILES, MAX_EMBEDDED_BYTES.
 */
export function* filesOfFs(fs: FsLike, directory: string): Generator<readonly [path: string, bytes: Uint8Array], void> {
  const reader = fs as Reader; // isFsLike has looked
  const waiting: string[] = [""];
  let files = 0;
  let left = MAX_EMBEDDED_BYTES;
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for (const entry of entriesIn(reader, directory, below)) {
      const path = parseFilePath(below === "" ? entry.name : `${below}/${entry.name}`);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) {
        const bytes = bytesOf(path, contentAt(reader, directory, path));
        files += 1;
        left -= bytes.length;
        if (files > MAX_EMBEDDED_FILES || left < 0)
          throw new HangoError(
            "too_large",
            `${quoteText(directory)} holds more than ${MAX_EMBEDDED_FILES} files or ${MAX_EMBEDDED_BYTES} bytes. Name a smaller directory as prefix.`,
          );
        yield [path, bytes];
      }
    }
  }
}

function entriesIn(reader: Reader, directory: string, below: string): readonly Entry[] {
  const path = locationOf(directory, below);
  const entries = attempt(path, () => reader.readdirSync(path, { withFileTypes: true }));
  if (
    Array.isArray(entries) &&
    entries.every((entry) => typeof entry?.name === "string" && typeof entry.isFile === "function" && typeof entry.isDirectory === "function")
  )
    return entries as readonly Entry[];
  throw new HangoError(
    "invalid_argument",
    "readdirSync must answer entries with name, isFile and isDirectory when it is called with { withFileTypes: true }, as Node's does.",
  );
}

function contentAt(reader: Reader, directory: string, path: string): unknown {
  return attempt(path, () => reader.readFileSync(locationOf(directory, path)));
}

function attempt<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new HangoError("not_found", `embeddedStorage can't read ${quoteText(path)}. Name the directory of the files as prefix.`, {
      path: shownPath(path),
      cause,
    });
  }
}

function locationOf(directory: string, path: string): string {
  if (path === "") return directory;
  return directory.endsWith("/") ? directory + path : `${directory}/${path}`;
}
