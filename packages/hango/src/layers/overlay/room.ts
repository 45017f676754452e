import { HangoError, shownPath } from "../../errors.ts";
import { MAX_MUTATIONS } from "../../limits.ts";
import type { Pending } from "./pending.ts";

interface Sized {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What one change adds and takes away is counted together. Errors: too_large. */
export function checkRoom(pending: Pending, change: { readonly files: readonly Sized[]; readonly deletes: readonly string[] }, maxBytes: number): void {
  const paths = [...change.files.map(({ path }) => path), ...change.deletes];
  const count = pending.count() + paths.filter((path) => pending.get(path) === undefined).length;
  if (count > MAX_MUTATIONS)
    throw new HangoError("too_large", `The overlay would hold ${count} changed paths, at most ${MAX_MUTATIONS}. Commit or discard them first.`, {
      details: { count, maxCount: MAX_MUTATIONS },
    });
  let sizeBytes = pending.bytes();
  for (const path of paths) {
    const held = pending.get(path);
    if (held?.kind === "file") sizeBytes -= held.bytes.length;
  }
  for (const { bytes } of change.files) sizeBytes += bytes.length;
  const [first] = change.files;
  if (first === undefined || sizeBytes <= maxBytes) return;
  const path = shownPath(first.path);
  throw new HangoError(
    "too_large",
    `${path} does not fit: the overlay would hold ${sizeBytes} bytes of changes, at most ${maxBytes}. Commit or discard them first.`,
    {
      path,
      details: { sizeBytes, maxBytes },
    },
  );
}
