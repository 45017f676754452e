import { isHangoError } from "../errors.ts";
import type { FileInfo, FilterOptions, Storage } from "../storage.ts";
import { callOf } from "./call-of.ts";

/** The bytes of one file that is searched; undefined when the search has to go on without it, which `onSkip` is told. */
export async function searchableBytes(
  read: Storage["read"],
  { path, sizeBytes }: FileInfo,
  options: FilterOptions & { readonly maxBytes: number },
): Promise<Uint8Array | undefined> {
  const { maxBytes, onSkip, signal } = options;
  if (sizeBytes > maxBytes) {
    onSkip?.(path, `larger than ${maxBytes} bytes`);
    return undefined;
  }
  try {
    return (await read(path, callOf(options))).bytes;
  } catch (error) {
    signal?.throwIfAborted();
    // A store that does not answer would make every file look unreadable: that is no answer at all.
    if (isHangoError(error, "unavailable") || isHangoError(error, "timeout")) throw error;
    // Deleted since it was listed: it is not there, so nothing was skipped.
    if (!isHangoError(error, "not_found")) onSkip?.(path, "could not be read");
    return undefined;
  }
}
