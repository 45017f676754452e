/** A FileSystem that is seen: the same answers and errors, with a span, figures, and a line for each change. */
import type { Attributes } from "@opentelemetry/api";
import type { FileSystem } from "../filesystem.ts";
import type { Storage } from "../storage.ts";
import { delta, logChange, sizeBefore, sizedDelete } from "./change-log.ts";
import { attribute } from "./names.ts";
import { observeOperation } from "./operation.ts";
import type { Signals } from "./signals.ts";

/** `storage` is what sizes are asked of, as the session sees it. Options go on as they are: they may carry more than their types say. */
export function observeFileSystem(fs: FileSystem, signals: Signals, storage: Storage): FileSystem {
  const { instruments } = signals;

  return {
    ls: async (path, options = {}) =>
      observeOperation(signals, { op: "ls", path, call: options, run: () => fs.ls(path, options), describe: (entries) => matches(entries.length) }),
    stat: async (path, options = {}) => observeOperation(signals, { op: "stat", path, call: options, run: () => fs.stat(path, options) }),
    read: async (path, options = {}) =>
      observeOperation(signals, { op: "read", path, call: options, run: () => fs.read(path, options), describe: ({ sizeBytes }) => bytes(sizeBytes) }),
    glob: async (pattern, options = {}) =>
      observeOperation(signals, {
        op: "glob",
        path: options.root ?? "/",
        call: options,
        run: () => fs.glob(pattern, options),
        describe: ({ paths }) => matches(paths.length),
      }),
    grep: async (pattern, options = {}) =>
      observeOperation(signals, {
        op: "grep",
        path: options.path ?? "/",
        call: options,
        run: () => fs.grep(pattern, options),
        describe: (found) => matches(found.matches.length),
      }),
    write: async (path, text, options = {}) => {
      const before = options.ifVersion === "absent" ? 0 : await sizeBefore(signals, storage, { path, call: options });
      return observeOperation(signals, {
        op: "write",
        path,
        call: options,
        run: () => fs.write(path, text, options),
        describe: ({ sizeBytes = 0 }) => bytes(sizeBytes),
        onDone: ({ sizeBytes = 0 }) => {
          instruments.bytesWritten.add(sizeBytes, { [attribute.op]: "write" });
          logChange(signals, { op: "write", path, bytesDelta: delta(before, sizeBytes) });
        },
      });
    },
    edit: async (path, oldText, newText, options = {}) => {
      const before = await sizeBefore(signals, storage, { path, call: options });
      return observeOperation(signals, {
        op: "edit",
        path,
        call: options,
        run: () => fs.edit(path, oldText, newText, options),
        describe: ({ sizeBytes, replacements }) => ({ ...bytes(sizeBytes), ...matches(replacements) }),
        onDone: ({ sizeBytes }) => {
          instruments.bytesWritten.add(sizeBytes, { [attribute.op]: "edit" });
          logChange(signals, { op: "edit", path, bytesDelta: delta(before, sizeBytes) });
        },
      });
    },
    delete: async (path, options = {}) => {
      const recursive = options.recursive === true;
      const sized = recursive ? sizedDelete(signals, options) : undefined;
      const before = recursive ? undefined : await sizeBefore(signals, storage, { path, call: options });
      return observeOperation(signals, {
        op: "delete",
        path,
        call: options,
        run: () => fs.delete(path, sized?.call ?? options),
        onDone: () => logChange(signals, { op: "delete", path, bytesDelta: delta(sized?.bytes() ?? before, 0), recursive }),
      });
    },
  };
}

const bytes = (count: number): Attributes => ({ [attribute.bytes]: count });
const matches = (count: number): Attributes => ({ [attribute.matches]: count });
