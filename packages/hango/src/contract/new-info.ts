import { storedContentType } from "../path/content-type.ts";
import type { FileInfo, Version } from "../storage.ts";
import { decodeText } from "../text/utf8.ts";

/** The info of a file that is kept in memory, written over `old` where there is one. */
export function newInfo(
  file: { readonly path: string; readonly bytes: Uint8Array; readonly contentType?: string | undefined },
  version: Version,
  old: FileInfo | undefined,
): FileInfo {
  const { path, bytes, contentType: given } = file;
  const contentType = storedContentType({
    given,
    kept: old?.contentType,
    path,
    // Looked at only when nothing else decides.
    get isText(): boolean {
      return decodeText(bytes) !== undefined;
    },
  });
  const now = new Date();
  return { path, sizeBytes: bytes.length, contentType, version, createdAt: old?.createdAt ?? now, updatedAt: now };
}
