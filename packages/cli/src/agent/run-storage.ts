import { type Storage, defineLayer } from "hango";

/** An overlay's storage as a run sees it: what the guard denies is recorded by the base at once, as no commit tells of it. */
export function runStorage(inner: Storage, base: Storage): Storage {
  const { apply, search } = inner;
  const { record } = base;
  return defineLayer({
    name: inner.name,
    list: inner.list,
    read: inner.read,
    write: inner.write,
    delete: inner.delete,
    stat: inner.stat,
    ls: inner.ls,
    lines: inner.lines,
    glob: inner.glob,
    grep: inner.grep,
    search,
    apply,
    record,
    close: undefined,
  });
}
