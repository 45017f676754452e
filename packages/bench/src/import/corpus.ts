/** Real source for the import: the packages that this repository installs, again and again below other names until there is enough. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LoadFile } from "../../../hango/src/storages/postgres/index.ts";

const SOURCE = /\.(?:[cm]?[jt]sx?|json|md|css|html|map|ya?ml)$/;
const MAX_UNIQUE_BYTES = 120 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024;

export interface Corpus {
  readonly bytes: number;
  readonly files: () => Generator<LoadFile>;
}

/** `count` files of the directory, kept in memory, so that no disk is measured. */
export function corpusOf(directory: string, count: number): Corpus {
  const unique: LoadFile[] = [];
  let total = 0;
  const open = [""];
  for (let at = open.pop(); at !== undefined && total < MAX_UNIQUE_BYTES; at = open.pop()) {
    for (const entry of readdirSync(join(directory, at), { withFileTypes: true })) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith(".")) open.push(path);
      if (!entry.isFile() || !SOURCE.test(entry.name) || path.length > 400 || path.split("/").length > 28) continue;
      const { size } = statSync(join(directory, path));
      if (size === 0 || size > MAX_FILE_BYTES) continue;
      unique.push({ path, bytes: readFileSync(join(directory, path)) });
      total += size;
    }
  }
  function* files(): Generator<LoadFile> {
    for (let n = 0; n < count; n++) {
      const file = unique[n % unique.length];
      if (file !== undefined) yield { ...file, path: `copy${Math.floor(n / unique.length)}/${file.path}` };
    }
  }
  let bytes = 0;
  for (const file of files()) bytes += file.bytes.length;
  return { bytes, files };
}
