import { callOf } from "../contract/call-of.ts";
import { checkSize } from "../contract/check-size.ts";
import { notAFile } from "../contract/refusals.ts";
import type { DirEntry } from "../filesystem.ts";
import type { WriteOptions } from "../storage.ts";
import { checkText, encodeUtf8 } from "../text/utf8.ts";
import { entryOfFile, pathFor, type FsContext } from "./context.ts";

/** Writes a whole text. Errors: invalid_content, too_large, and those of Storage.write. */
export async function write(fs: FsContext, path: string, text: string, options: WriteOptions): Promise<DirEntry> {
  const file = pathFor(fs, path);
  if (file === "") throw notAFile(file);
  checkText(text, file);
  const bytes = encodeUtf8(text);
  checkSize(bytes.length, fs.limits.maxFileBytes, file);
  const { contentType, ifVersion } = options;
  const info = await fs.storage.write(file, bytes, {
    ...callOf(options),
    ...(contentType === undefined ? {} : { contentType }),
    ...(ifVersion === undefined ? {} : { ifVersion }),
  });
  return entryOfFile(info);
}
