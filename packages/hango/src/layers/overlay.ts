/** Copy-on-write over a base: reads fall through, changes stay in memory until they are committed or discarded. */
import { checkCall, checkWhole } from "../contract/check-options.ts";
import { defineLayer } from "../contract/define-layer.ts";
import { assertStorage } from "../contract/define-storage.ts";
import { SUBSTRING_SYNTAX } from "../contract/file-table.ts";
import { forbiddenIn, withForbidden } from "../contract/forbidden.ts";
import { withRootsOf } from "../contract/roots.ts";
import { checkOptionNames } from "../errors.ts";
import type { CallOptions, FileInfo, Storage } from "../storage.ts";
import type { Change } from "../text/unified-diff.ts";
import { changesOf } from "./overlay/changes.ts";
import { commitView, conflictsOf } from "./overlay/commit.ts";
import { createLock } from "./overlay/lock.ts";
import { prepareApply, prepareDelete, prepareWrite, type Ready } from "./overlay/mutate.ts";
import { createPending } from "./overlay/pending.ts";
import { searchView } from "./overlay/search.ts";
import { globView, grepView, linesView, listView, lsView, readView, statView, type View } from "./overlay/view.ts";

export interface OverlayOptions {
  readonly base: Storage;
  /** Bytes of pending files, 64 MiB unless said. */
  readonly maxBytes?: number;
}

export interface Overlay {
  /**
   * The merged view. It has `apply` and `search` whatever the base has, and no `record`: only a commit changes the base, and the base records that.
   * A change that the base refuses for good (a directory's .git, a link) is refused at once.
   */
  readonly storage: Storage;
  /** What a commit would do, in path order. Errors: too_large. */
  readonly changes: (options?: CallOptions) => Promise<readonly Change[]>;
  /** Paths that the base has changed since their first touch, in path order: a commit is refused while there are any. */
  readonly conflicts: (options?: CallOptions) => Promise<readonly string[]>;
  /**
   * Carries the changes over to the base, and answers the infos of what was written, in path order. Other calls wait meanwhile.
   * Errors: conflict naming every path that the base changed since its first touch; else the base's own code, with its error as the cause.
   * Atomicity: all or nothing where the base has `apply`; else all deletes, then all writes, each dropped when done, and the first failure stops.
   */
  readonly commit: (options?: CallOptions) => Promise<readonly FileInfo[]>;
  /** Forgets every change; during a commit, those that it leaves. */
  readonly discard: () => void;
}

const DEFAULT_MAX_BYTES: number = 64 * 1024 * 1024;

/** Lays an overlay over a base; closing its storage closes the base. Errors: invalid_argument. */
export function createOverlay(options: OverlayOptions): Overlay {
  checkOptionNames("createOverlay", options, ["base", "maxBytes"]);
  const { base, maxBytes = DEFAULT_MAX_BYTES } = options;
  assertStorage(base, "createOverlay's base");
  checkWhole(maxBytes, "maxBytes", 1);
  const lock = createLock();
  let view: View = { base, pending: createPending() };

  async function reading<T>(given: CallOptions | undefined, run: (at: View) => Promise<T>): Promise<T> {
    await lock.free(given?.signal);
    return run(view);
  }

  /** Checks take their time, the change itself none; after a discard in between the checks are made again. */
  function changing<T>(given: CallOptions, prepare: (at: View) => Promise<Ready<T>>): Promise<T> {
    return lock.change(
      async () => {
        for (;;) {
          given.signal?.throwIfAborted();
          const at = view;
          const ready = await prepare(at);
          if (at === view) return ready();
        }
      },
      { signal: given.signal },
    );
  }

  const storage = defineLayer({
    name: `overlay(${base.name})`,
    list: (given) => reading(given, (at) => listView(at, given)),
    read: (path, given) => reading(given, (at) => readView(at, path, given)),
    write: (path, bytes, given = {}) => changing(given, (at) => prepareWrite(at, path, bytes, { ...given, maxBytes })),
    delete: (path, given = {}) => changing(given, (at) => prepareDelete(at, path, given)),
    stat: (path, given) => reading(given, (at) => statView(at, path, given)),
    ls: (directory, given) => reading(given, (at) => lsView(at, directory, given)),
    lines: (path, query) => reading(query, (at) => linesView(at, path, query)),
    glob: (query) => reading(query, (at) => globView(at, query)),
    grep: (query) => reading(query, (at) => grepView(at, query)),
    search: { syntax: SUBSTRING_SYNTAX, paths: (query, given) => reading(given, (at) => searchView(at, query, given)) },
    apply: (mutations, given = {}) => changing(given, (at) => prepareApply(at, mutations, { ...given, maxBytes })),
    record: undefined,
    close: base.close,
  });

  async function commit(given: CallOptions = {}): Promise<readonly FileInfo[]> {
    checkCall(given);
    const run = async (): Promise<readonly FileInfo[]> => {
      // A copy, so that a reader that began before still sees its own tree.
      view = { base, pending: view.pending.copy() };
      return commitView(view, given);
    };
    return lock.change(run, { signal: given.signal, alone: true });
  }

  async function changes(given: CallOptions = {}): Promise<readonly Change[]> {
    checkCall(given);
    return reading(given, (at) => changesOf(at, given));
  }

  async function conflicts(given: CallOptions = {}): Promise<readonly string[]> {
    checkCall(given);
    return reading(given, (at) => conflictsOf(at, given));
  }

  return Object.freeze({
    storage: withForbidden(withRootsOf(storage, [base]), (path) => forbiddenIn(base, path)),
    changes,
    conflicts,
    commit,
    discard: () => lock.soon(() => void (view = { base, pending: createPending() })),
  });
}
