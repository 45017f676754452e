import { HangoError } from "../../errors.ts";
import type { CallOptions } from "../../storage.ts";
import type { Change } from "../../text/unified-diff.ts";
import { mapParallel } from "./parallel.ts";
import { surveyOne, type Surveyed } from "./survey.ts";
import type { View } from "./view.ts";

/** Bytes of the base that one answer of `changes` holds beside what is pending. */
const MAX_PREVIOUS_BYTES: number = 1024 * 1024 * 1024;

/** What a commit would do, in path order. Errors: too_large when the base's previous bytes are over MAX_PREVIOUS_BYTES; a commit does not need them. */
export async function changesOf(view: View, options: CallOptions & { readonly maxPreviousBytes?: number }): Promise<readonly Change[]> {
  const { maxPreviousBytes = MAX_PREVIOUS_BYTES } = options;
  let total = 0;
  const surveyed = await mapParallel(view.pending.all(), async (held) => {
    const one = await surveyOne(view, held, { ...options, content: true });
    if (one.kind === "none") return undefined;
    total += one.previous?.length ?? 0;
    if (total > maxPreviousBytes)
      throw new HangoError(
        "too_large",
        `The changes replace or delete more than ${maxPreviousBytes} bytes, too many to list. Commit, discard, or change less at a time.`,
        {
          details: { maxBytes: maxPreviousBytes },
        },
      );
    return one;
  });
  return surveyed.flatMap((one) => (one === undefined ? [] : [changeOf(one)]));
}

function changeOf({ held, kind, previous = new Uint8Array() }: Surveyed): Change {
  const { path } = held;
  if (held.kind === "delete") return { kind: "delete", path, previous };
  // A copy: what the caller does with it must not reach the pending file.
  const written = { path, bytes: new Uint8Array(held.bytes), contentType: held.info.contentType };
  return kind === "modify" ? { kind, ...written, previous } : { kind: "create", ...written };
}
