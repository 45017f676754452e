import type { Namespace } from "hango";
import { postgresStorage, type Database, type LoadFile } from "hango/postgres";

/** Loads a whole tree into a namespace, and names what is below /docs afterwards. */
export async function loadTree(database: Database, namespace: Namespace, files: Iterable<LoadFile>): Promise<readonly string[]> {
  const store = postgresStorage(database);
  await store.load(namespace, files, { overwrite: "newer" }); // { path, bytes, contentType?, updatedAt? }, as they come
  const paths: string[] = [];
  for await (const { info } of store.dump(namespace, { prefix: "docs" })) paths.push(info.path);
  return paths;
}
