/** A corpus that comes with the program: read-only, from a record of files or from anything that reads like Node's `fs`. */
import { defineStorage } from "../contract/define-storage.ts";
import { type FileTable, fileTable, listRows, rowAt, searchRows, SUBSTRING_SYNTAX } from "../contract/file-table.ts";
import { makePace } from "../contract/pace.ts";
import { notADirectory, readOnly } from "../contract/refusals.ts";
import { checkOptionNames, HangoError, isObject } from "../errors.ts";
import { contentTypeFor } from "../path/content-type.ts";
import { ancestorsOf } from "../path/path.ts";
import { sha256Hex } from "../path/sha256.ts";
import type { FileInfo, ListOptions, Storage } from "../storage.ts";
import { type EmbeddedFiles, entriesOf, type FsLike, isFsLike } from "./embedded/entries.ts";
import { filesOfFs } from "./embedded/fs-like.ts";

export type { EmbeddedFiles, FsLike } from "./embedded/entries.ts";

export interface EmbeddedOptions {
  /** Only what is below it, without it. Of a file system, the directory to read: "." unless given. */
  readonly prefix?: string;
}

/** Characters of the content's hash that make a version: the same content has the same one in every process. */
const VERSION_CHARS = 32;

/**
 * Holds files that nothing changes. All of them are read at creation; a content type comes from the extension, else it is application/octet-stream.
 * Errors: at creation invalid_path for a key that is no path, invalid_content for text that is not well-formed; later read_only for every write and delete.
 */
export function embeddedStorage(files: EmbeddedFiles | FsLike, options: EmbeddedOptions = {}): Storage {
  if (!isObject(files) || !(isFsLike(files) || isRecord(files)))
    throw new HangoError(
      "invalid_argument",
      'embeddedStorage takes a record of files ({ "faq.md": "text or bytes" }) or an object with readdirSync and readFileSync.',
    );
  checkOptionNames("embeddedStorage", options, ["prefix"]);
  const table = tableOf(isFsLike(files) ? filesOfFs(files, options.prefix || ".") : entriesOf(files, options.prefix ?? ""));
  const unhashed = new Set(table.rows.keys());

  /** The first listing makes the versions, which takes a second for some ten megabytes: so it gives way in between. */
  async function list(asked: ListOptions = {}): Promise<readonly FileInfo[]> {
    const pace = makePace(asked.signal);
    const infos: FileInfo[] = [];
    for (const { info, bytes } of listRows(table, asked)) {
      infos.push({ ...info });
      if (unhashed.delete(info.path)) await pace(bytes.length);
    }
    return infos;
  }

  return defineStorage({
    name: "embedded",
    list,
    read: async (path) => rowAt(table, path),
    write: (path) => Promise.reject(readOnly(path)),
    delete: (path) => Promise.reject(readOnly(path)),
    search: { syntax: SUBSTRING_SYNTAX, paths: (query, asked = {}) => searchRows(table, query, asked) },
  });
}

/** A Map or a promise has no files of its own: it would be an empty corpus without a word. */
function isRecord(files: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(files);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function tableOf(files: Iterable<readonly [path: string, bytes: Uint8Array]>): FileTable {
  const table = fileTable();
  for (const [path, bytes] of files) {
    table.rows.set(path, { info: infoOf(path, bytes), bytes });
    table.keys.add(path);
  }
  for (const path of table.rows.keys()) {
    const above = ancestorsOf(path).find((ancestor) => table.rows.has(ancestor));
    if (above !== undefined) throw notADirectory(path, above);
  }
  return table;
}

/** The version is made when it is first asked for: hashing a large corpus would hold up the start. */
function infoOf(path: string, bytes: Uint8Array): FileInfo {
  let version: string | undefined;
  return Object.freeze({
    path,
    sizeBytes: bytes.length,
    contentType: contentTypeFor(path) || "application/octet-stream",
    get version(): string {
      return (version ??= sha256Hex(bytes).slice(0, VERSION_CHARS));
    },
  });
}
