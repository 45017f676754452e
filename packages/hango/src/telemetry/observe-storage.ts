/** The session's Storage as doors use it for whole files: the same spans, figures and lines as its FileSystem. */
import { defineLayer } from "../contract/define-layer.ts";
import { withRootsOf } from "../contract/roots.ts";
import { shownPath } from "../errors.ts";
import type { CallOptions, FileInfo, Mutation, Storage } from "../storage.ts";
import { delta, logChange, sizeBefore, sizesBefore } from "./change-log.ts";
import { attribute, type Op } from "./names.ts";
import { observeOperation } from "./operation.ts";
import type { Signals } from "./signals.ts";

export function observeStorage(storage: Storage, signals: Signals): Storage {
  const { apply, close, record, search } = storage;
  const { instruments } = signals;

  const counted = <T extends { readonly length: number }>(
    op: Op,
    at: { readonly path: string; readonly call?: CallOptions },
    run: () => Promise<T>,
  ): Promise<T> =>
    observeOperation(signals, {
      op,
      path: shownPath(at.path),
      call: at.call ?? {},
      run,
      describe: ({ length }) => ({ [attribute.matches]: length }),
    });

  function tellWritten({ path, sizeBytes }: FileInfo, before: number | undefined): void {
    instruments.bytesWritten.add(sizeBytes, { [attribute.op]: "write" });
    logChange(signals, { op: "write", path: shownPath(path), bytesDelta: delta(before, sizeBytes) });
  }

  /** One span for the whole, which has no single path, and a line for each file. */
  async function applyAll(run: NonNullable<Storage["apply"]>, mutations: readonly Mutation[], call: CallOptions = {}): Promise<readonly FileInfo[]> {
    const before = await sizesBefore(signals, storage, { mutations, call });
    return observeOperation(signals, {
      op: "write",
      path: undefined,
      call,
      run: () => run(mutations, call),
      describe: (infos) => ({ [attribute.bytes]: infos.reduce((total, { sizeBytes }) => total + sizeBytes, 0), [attribute.matches]: mutations.length }),
      onDone: (infos) => {
        for (const info of infos) tellWritten(info, before.get(info.path));
        for (const { kind, path } of mutations) {
          if (kind === "delete") logChange(signals, { op: "delete", path: shownPath(path), bytesDelta: delta(before.get(path), 0) });
        }
      },
    });
  }

  const layer = defineLayer({
    name: storage.name,
    list: async (options) => counted("ls", { path: options?.prefix ?? "", ...callIn(options) }, () => storage.list(options)),
    read: async (path, options = {}) =>
      observeOperation(signals, {
        op: "read",
        path: shownPath(path),
        call: options,
        run: () => storage.read(path, options),
        describe: ({ bytes }) => ({ [attribute.bytes]: bytes.length }),
      }),
    write: async (path, bytes, options = {}) => {
      const before = options.ifVersion === "absent" ? 0 : await sizeBefore(signals, storage, { path: shownPath(path), call: options });
      return observeOperation(signals, {
        op: "write",
        path: shownPath(path),
        call: options,
        run: () => storage.write(path, bytes, options),
        describe: ({ sizeBytes }) => ({ [attribute.bytes]: sizeBytes }),
        onDone: (info) => tellWritten(info, before),
      });
    },
    delete: async (path, options = {}) => {
      const before = await sizeBefore(signals, storage, { path: shownPath(path), call: options });
      return observeOperation(signals, {
        op: "delete",
        path: shownPath(path),
        call: options,
        run: () => storage.delete(path, options),
        onDone: () => logChange(signals, { op: "delete", path: shownPath(path), bytesDelta: delta(before, 0) }),
      });
    },
    search: search && {
      syntax: search.syntax,
      paths: async (query, options) => counted("search", { path: options?.prefix ?? "", ...callIn(options) }, () => search.paths(query, options)),
    },
    apply: apply && (async (mutations, options) => applyAll(apply, mutations, options)),
    record: record && ((event, options) => record(event, options)),
    close: close && (() => close()),
    stat: async (path, options = {}) => observeOperation(signals, { op: "stat", path: shownPath(path), call: options, run: () => storage.stat(path, options) }),
    ls: async (directory, options) => counted("ls", { path: directory, ...callIn(options) }, () => storage.ls(directory, options)),
    lines: async (path, query) => observeOperation(signals, { op: "read", path: shownPath(path), call: query, run: () => storage.lines(path, query) }),
    glob: async (query) => counted("glob", { path: query.root, call: query }, () => storage.glob(query)),
    grep: async (query) => counted("grep", { path: query.root, call: query }, () => storage.grep(query)),
  });
  return withRootsOf(layer, [storage]);
}

function callIn(options: CallOptions | undefined): { readonly call?: CallOptions } {
  return options === undefined ? {} : { call: options };
}
