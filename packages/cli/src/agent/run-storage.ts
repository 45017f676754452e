/**
 * The overlay as a run sees it. A commit would refuse .git or a link only at its end, and one such file holds up all the others: so the base refuses at once,
 * and the model takes another way. What the guard denies is recorded by the base at once too, as no commit tells of it.
 */
import { type CallOptions, type HangoError, type Storage, defineLayer, isHangoError } from "hango";

/** A version that no file has: a change over it never happens, and everything else is checked first. */
const NEVER = "hango-agent-never";

/** True for what no later state of the files would change. */
function isFinal(error: unknown): error is HangoError {
  return ["forbidden", "read_only", "invalid_path", "too_large"].some((code) => isHangoError(error, code as HangoError["code"]));
}

export interface RunStorageOptions {
  readonly base: Storage;
  /** Each change is tried on the base first: for one whose answer costs nothing, and whose names or links may forbid it. */
  readonly tried: boolean;
}

/** Wraps an overlay's storage. Errors, of changes: forbidden, read_only, invalid_path, too_large, as the base says. */
export function runStorage(inner: Storage, { base, tried }: RunStorageOptions): Storage {
  async function attempt(change: () => Promise<unknown>): Promise<void> {
    if (!tried) return;
    try {
      await change();
    } catch (error) {
      // A conflict is the answer that was asked for; what else stands in the way may have been changed in the overlay.
      if (isFinal(error) || !isHangoError(error)) throw error;
    }
  }
  const tryWrite = (path: string, bytes: Uint8Array, { signal }: CallOptions = {}): Promise<void> =>
    attempt(() => base.write(path, bytes, { ifVersion: NEVER, ...(signal === undefined ? {} : { signal }) }));
  const tryDelete = (path: string, { signal }: CallOptions = {}): Promise<void> =>
    attempt(() => base.delete(path, { ifVersion: NEVER, ...(signal === undefined ? {} : { signal }) }));
  const { apply, search } = inner;
  const { record } = base;
  return defineLayer({
    name: inner.name,
    list: inner.list,
    read: inner.read,
    write: async (path, bytes, options) => {
      await tryWrite(path, bytes, options);
      return inner.write(path, bytes, options);
    },
    delete: async (path, options) => {
      await tryDelete(path, options);
      return inner.delete(path, options);
    },
    stat: inner.stat,
    ls: inner.ls,
    lines: inner.lines,
    glob: inner.glob,
    grep: inner.grep,
    search,
    apply:
      apply === undefined
        ? undefined
        : async (mutations, options) => {
            for (const one of mutations) await (one.kind === "delete" ? tryDelete(one.path, options) : tryWrite(one.path, one.bytes, options));
            return apply(mutations, options);
          },
    record,
    close: undefined,
  });
}
