/** A directory of this machine as a storage, from which no link, race or odd name leads out. */
import { deriveGlob } from "../../contract/derive/glob.ts";
import { deriveGrep } from "../../contract/derive/grep.ts";
import { defineStorage } from "../../contract/define-storage.ts";
import { withForbidden } from "../../contract/forbidden.ts";
import { withRoots } from "../../contract/roots.ts";
import { checkOptionNames, HangoError } from "../../errors.ts";
import type { FilePath, Storage } from "../../storage.ts";
import { deleteFile } from "./delete-file.ts";
import { forbiddenChange } from "./forbidden-change.ts";
import { listFiles, lsDirectory, pagedList, statPath } from "./listing.ts";
import { translated } from "./os-errors.ts";
import { readFile } from "./read-file.ts";
import { hasDescriptorPaths, openRoot, type WalkBy } from "./root.ts";
import { writeFile } from "./write-file.ts";

export interface OsStorageOptions {
  /** It has to be there already. Links in this path itself are followed, once, when the storage is opened. */
  readonly directory: string;
  /** True: a write is acknowledged when it would survive a loss of power. Default: false, it survives the end of the process. */
  readonly fsync?: boolean;
  /**
   * Only looked at where the system can't look names up below an open directory (macOS, Windows): true says that no other process
   * swaps links in this directory while it is used. Without it the storage is refused there.
   */
  readonly acceptLinkRaces?: boolean;
}

/**
 * Opens a directory. Regular files only; `.git` is never listed, read or written; content types come from the extension (else
 * application/octet-stream), whatever a write gives. Close it to let the directory go.
 * Errors: not_found, not_a_directory; unsupported where links can't be kept out and `acceptLinkRaces` is not set.
 * Atomicity: one rename a write; a process killed in between leaves a `.hango-….tmp`, which is never listed; a write beside it removes it when it is a day old.
 * `ifVersion` excludes every other write of this process; of another process, all but one between the last look and the rename.
 * Limits: files up to 64 MiB.
 */
export function osStorage(options: OsStorageOptions): Storage {
  checkOptions(options);
  const walkBy = hasDescriptorPaths() ? "descriptors" : "names";
  if (walkBy === "names" && options.acceptLinkRaces !== true)
    throw new HangoError(
      "unsupported",
      `osStorage can't keep links out on ${process.platform}: between a check and its use another process could swap one in. Where no other process changes links in ${JSON.stringify(options.directory)}, say so with acceptLinkRaces: true.`,
    );
  return openStorage(options, walkBy);
}

/** The storage over one way of walking; tests use both on every system. */
export function openStorage({ directory, fsync = false }: OsStorageOptions, walkBy: WalkBy): Storage {
  const root = openRoot(directory, walkBy);
  const context = { root, fsync, made: new Set<string>(), swept: new Set<string>() };
  const content: Storage["read"] = (path, options) => inWords("read", path, () => readFile(root, path, { ...options, versions: "any" }));
  const storage = defineStorage({
    name: "osfs",
    list: (options) => inWords("list", options?.prefix, () => listFiles(root, options)),
    read: (path, options) => inWords("read", path, () => readFile(root, path, options)),
    write: (path, bytes, options) => inWords("write", path, () => writeFile(context, path, bytes, options)),
    delete: (path, options) => inWords("delete", path, () => deleteFile(context, path, options)),
    stat: (path, options) => inWords("stat", path, () => statPath(root, path, options)),
    ls: (path, options) => inWords("ls", path, () => lsDirectory(root, path, options)),
    glob: (query) => inWords("glob", query.root, () => deriveGlob(pagedList(root), query)),
    grep: (query) => inWords("grep", query.root, () => deriveGrep({ list: pagedList(root), read: content }, query)),
    close: async () => root.close(),
  });
  return withForbidden(withRoots(storage, [root.identity]), (path) => forbiddenChange(root, path));
}

async function inWords<T>(op: string, path: FilePath | string | undefined, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw translated(error, op, path ?? "");
  }
}

function checkOptions(options: OsStorageOptions): void {
  if (typeof options !== "object" || options === null || typeof options.directory !== "string" || options.directory === "")
    throw new HangoError("invalid_argument", 'osStorage takes the path of a directory: osStorage({ directory: "./work" }).');
  checkOptionNames("osStorage", options, ["directory", "fsync", "acceptLinkRaces"]);
  for (const name of ["fsync", "acceptLinkRaces"] as const) {
    if (options[name] !== undefined && typeof options[name] !== "boolean") throw new HangoError("invalid_argument", `osStorage: ${name} is true or false.`);
  }
}
