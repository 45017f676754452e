/** Keeps what is left out of a directory hidden under every other spelling of its name: a disk that folds case reads an ignored .env as .ENV. */
import { type FilterOptions, type PathFilter, type Storage, HangoError, defineLayer } from "hango";
import { foldName } from "./fold-name.ts";
import type { LeftOut } from "./left-out.ts";

/** The names as the disk spells them are the session's rules to hide; here are all others. Writing one is refused too: it would replace what is hidden. */
export function hideSpellings(inner: Storage, { paths, twins }: LeftOut): Storage {
  if (paths.length === 0) return inner;
  const entries = paths.map((path) => path.split("/").filter((segment) => segment !== ""));
  const folded = new Map<string, (readonly string[])[]>();
  for (const entry of entries) {
    const key = entry.map(foldName).join("/");
    folded.set(key, [...(folded.get(key) ?? []), entry]);
  }

  /** Where a disk is known to tell the spellings apart, another one is another file. */
  function isSame(segments: readonly string[], entry: readonly string[]): boolean {
    let [here, there] = ["", ""];
    for (const [at, segment] of segments.entries()) {
      here += `/${segment}`;
      there += `/${entry[at] ?? ""}`;
      if (here !== there && twins.has(here)) return false;
    }
    return true;
  }

  /** What is left out and stands at this path, or above it, in another spelling. */
  function otherSpelling(path: string): string | undefined {
    const segments = path.split("/");
    let key = "";
    for (const [at, segment] of segments.entries()) {
      key += `${at === 0 ? "" : "/"}${foldName(segment)}`;
      const head = segments.slice(0, at + 1);
      const same = folded.get(key)?.find((entry) => isSame(head, entry));
      if (same !== undefined) return same.join("/") === head.join("/") ? undefined : `/${same.join("/")}`;
    }
    return undefined;
  }

  function check(op: string, path: string): void {
    const hidden = otherSpelling(path);
    if (hidden === undefined) return;
    const what = op === "read" || op === "stat" ? "read" : "changed";
    throw new HangoError("forbidden", `/${path} can't be ${what}: on some disks it is another spelling of ${hidden}, which this session leaves out.`, {
      path: `/${path}`,
      op,
    });
  }

  /** What is left out below a root that is spelled in another way: the names below it come as the disk has them. */
  function hiddenBelow(root: string): readonly string[] {
    if (root === "") return [];
    const segments = root.split("/");
    const key = segments.map(foldName).join("/");
    return entries.flatMap((entry) => {
      const head = entry.slice(0, segments.length);
      if (entry.length <= segments.length || head.join("/") === root || head.map(foldName).join("/") !== key || !isSame(segments, head)) return [];
      const path = [...segments, ...entry.slice(segments.length)].join("/");
      return [path, `${path}/`];
    });
  }

  function shown<T extends FilterOptions>(root: string, options: T): T {
    const hide = hiddenBelow(root);
    if (hide.length === 0) return options;
    const filter: PathFilter = { hide: Object.freeze(hide), show: [] };
    return { ...options, filters: [...(options.filters ?? []), filter] };
  }

  const { apply, search, record } = inner;
  return defineLayer({
    name: inner.name,
    list: async (options = {}) => (otherSpelling(options.prefix ?? "") === undefined ? inner.list(shown(options.prefix ?? "", options)) : []),
    read: async (path, options) => {
      check("read", path);
      return inner.read(path, options);
    },
    write: async (path, bytes, options) => {
      check("write", path);
      return inner.write(path, bytes, options);
    },
    delete: async (path, options) => {
      check("delete", path);
      return inner.delete(path, options);
    },
    stat: async (path, options = {}) => {
      check("stat", path);
      return inner.stat(path, shown(path, options));
    },
    ls: async (path, options = {}) => (otherSpelling(path) === undefined ? inner.ls(path, shown(path, options)) : []),
    lines: async (path, query) => {
      check("read", path);
      return inner.lines(path, query);
    },
    // From the list above, asked for the directory that the pattern spells out: "BUILD/**" is a root in another spelling too.
    glob: undefined,
    grep: async (query) => (otherSpelling(query.root) === undefined ? inner.grep(shown(query.root, query)) : []),
    search: search && {
      syntax: search.syntax,
      paths: async (query, options = {}) => {
        const root = options.prefix ?? "";
        return otherSpelling(root) === undefined ? search.paths(query, shown(root, options)) : [];
      },
    },
    apply:
      apply &&
      (async (mutations, options) => {
        for (const { kind, path } of mutations) check(kind === "delete" ? "delete" : "write", path);
        return apply(mutations, options);
      }),
    record,
    close: undefined,
  });
}
