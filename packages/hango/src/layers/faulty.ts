import { defineLayer } from "../contract/define-layer.ts";
import { assertStorage } from "../contract/define-storage.ts";
import { HangoError } from "../errors.ts";
import type { Storage } from "../storage.ts";

export type FaultyOperation = "list" | "read" | "write" | "delete" | "stat" | "ls" | "lines" | "glob" | "grep" | "search" | "apply" | "record" | "close";

export interface Fault {
  /** The operation that is counted and fails; "any" counts every call. */
  readonly on: FaultyOperation | "any";
  /** Which call fails, from 1. */
  readonly call: number;
  /** How many calls in a row fail; 1 unless said. */
  readonly times?: number;
  /** What is thrown; `unavailable` unless given. */
  readonly error?: unknown;
  /** "before": nothing is done. "after": it is done, but the caller is told otherwise, as when a connection drops. */
  readonly when?: "before" | "after";
  /** Told of each call that fails, so that a test knows whether its fault was met. */
  readonly onFault?: (operation: FaultyOperation) => void;
}

/** A layer for tests: fails the n-th call of an operation, so that every place where a storage can fail is tried in turn. */
export function faultyStorage(inner: Storage, fault: Fault): Storage {
  assertStorage(inner, "faultyStorage's storage");
  const { on, call, times = 1, error = new HangoError("unavailable", "The storage failed on purpose."), when = "before" } = fault;
  let calls = 0;

  async function attempt<T>(operation: FaultyOperation, run: () => Promise<T>): Promise<T> {
    if (on === "any" || on === operation) calls += 1;
    const fails = (on === "any" || on === operation) && calls >= call && calls < call + times;
    if (!fails) return run();
    fault.onFault?.(operation);
    if (when === "after") await run();
    throw error;
  }

  const { apply, close, record, search } = inner;
  return defineLayer({
    name: `faulty(${inner.name})`,
    list: (options) => attempt("list", () => inner.list(options)),
    read: (path, options) => attempt("read", () => inner.read(path, options)),
    write: (path, bytes, options) => attempt("write", () => inner.write(path, bytes, options)),
    delete: (path, options) => attempt("delete", () => inner.delete(path, options)),
    stat: (path, options) => attempt("stat", () => inner.stat(path, options)),
    ls: (directory, options) => attempt("ls", () => inner.ls(directory, options)),
    lines: (path, query) => attempt("lines", () => inner.lines(path, query)),
    glob: (query) => attempt("glob", () => inner.glob(query)),
    grep: (query) => attempt("grep", () => inner.grep(query)),
    search: search && { syntax: search.syntax, paths: (query, options) => attempt("search", () => search.paths(query, options)) },
    apply: apply && ((mutations, options) => attempt("apply", () => apply(mutations, options))),
    record: record && ((event, options) => attempt("record", () => record(event, options))),
    close: close && (() => attempt("close", () => close())),
  });
}
