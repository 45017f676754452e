import { assertStorage } from "../contract/define-storage.ts";
import { defineLayer } from "../contract/define-layer.ts";
import { forbiddenBelow, withForbidden } from "../contract/forbidden.ts";
import { withRootsOf } from "../contract/roots.ts";
import { cutPath, filtersAbove, joinPath, shiftAnswer, shiftEntry, shiftInfo, shiftOptions } from "../contract/shift.ts";
import { shiftingErrors } from "../contract/shift-error.ts";
import { HangoError, isHangoError, shownPath } from "../errors.ts";
import { MAX_PATH_BYTES } from "../limits.ts";
import { parseDirectory } from "../path/path.ts";
import type { FilterOptions, ListOptions, Storage } from "../storage.ts";
import { quoteText } from "../text/quote.ts";
import { sliceCodePoints } from "../text/utf8.ts";

/**
 * Shows what a storage holds below a directory, as a storage of its own: "docs/a.md" is "a.md".
 * Errors: invalid_path for a prefix that is none, and for a path that would be too long below it.
 */
export function subtreeStorage(storage: Storage, prefix: string): Storage {
  assertStorage(storage, "subtreeStorage's storage");
  const directory = parseDirectory(prefix);
  const shown = (path: string): string => cutPath(directory, path);
  // A file of the directory's own name has no path here.
  const inside = directory === "" ? [] : [{ hide: [directory], show: [] }];
  const asked = <T extends FilterOptions>(options: T): T => shiftOptions(options, [...filtersAbove(options.filters, directory), ...inside], shown);

  function at(path: string): string {
    const full = joinPath(directory, path);
    try {
      return parseDirectory(full);
    } catch (error) {
      if (!isHangoError(error, "invalid_path")) throw error;
      const message = `Invalid path ${quoteText(path)}: too long or too deep for the place this storage has inside another one. Use a shorter path.`;
      throw new HangoError("invalid_path", message, { path: shownPath(path) });
    }
  }

  /** Calls the storage below at its own path of what is asked for. */
  async function calling<T>(path: string, run: (full: string) => Promise<T>): Promise<T> {
    const full = at(path);
    return shiftingErrors(shown, () => run(full));
  }

  function listing({ after, ...options }: ListOptions, full: string): ListOptions {
    // Longer than any path is as good as whole: what follows decides nothing.
    const cursor = after === undefined ? {} : { after: sliceCodePoints(joinPath(directory, after), 0, MAX_PATH_BYTES) };
    return { ...asked(options), prefix: full, ...cursor };
  }

  const { apply, close, record, search } = storage;
  const layer = defineLayer({
    name: `${storage.name} below ${shownPath(directory)}`,
    list: (options = {}) => calling(options.prefix ?? "", async (full) => (await storage.list(listing(options, full))).map((info) => shiftInfo(info, shown))),
    read: (path, options) => calling(path, async (full) => shiftAnswer(await storage.read(full, options), shown)),
    write: (path, bytes, options) => calling(path, async (full) => shiftInfo(await storage.write(full, bytes, options), shown)),
    delete: (path, options) => calling(path, (full) => storage.delete(full, options)),
    stat: (path, options = {}) =>
      calling(path, async (full) => {
        const entry = await storage.stat(full, asked(options));
        return entry && shiftEntry(entry, shown);
      }),
    ls: (path, options = {}) => calling(path, async (full) => (await storage.ls(full, asked(options))).map((entry) => shiftEntry(entry, shown))),
    lines: (path, query) => calling(path, async (full) => shiftAnswer(await storage.lines(full, query), shown)),
    glob: (query) => calling(query.root, async (root) => (await storage.glob({ ...asked(query), root })).map(shown)),
    grep: (query) => calling(query.root, async (root) => (await storage.grep({ ...asked(query), root })).map((hit) => ({ ...hit, path: shown(hit.path) }))),
    search: search && {
      syntax: search.syntax,
      paths: (query, options = {}) => calling(options.prefix ?? "", async (full) => (await search.paths(query, listing(options, full))).map(shown)),
    },
    apply:
      apply &&
      (async (mutations, options) => {
        const below = mutations.map((mutation) => ({ ...mutation, path: at(mutation.path) }));
        return shiftingErrors(shown, async () => (await apply(below, options)).map((info) => shiftInfo(info, shown)));
      }),
    record: record && ((event, options) => calling(event.path, (path) => record({ ...event, path }, options))),
    close,
  });
  return withForbidden(withRootsOf(layer, [storage]), async (path) => forbiddenBelow(storage, at(path), shown));
}
