/** What is seen of a database alone: where its searches run, whether its limits are exact, whether streams go in and out. */
import { parsePattern } from "../../packages/hango/src/text/pattern/pattern.ts";
import { parseGlob } from "../../packages/hango/src/text/glob.ts";
import { uuidFor } from "../../packages/hango/src/path/uuid.ts";
import { isHangoError } from "../../packages/hango/src/errors.ts";
import { type Database, driverOf } from "../../packages/hango/src/storages/postgres/database.ts";
import type { Driver } from "../../packages/hango/src/storages/postgres/driver/driver.ts";
import { storageOver } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import type { Namespace } from "../../packages/hango/src/storage.ts";

const FILES = 20;
const text = new TextEncoder().encode("hay\n");

export async function databaseFacts(database: Database): Promise<readonly string[]> {
  const namespace: Namespace = { tenantId: uuidFor("tenant"), agentId: uuidFor("facts") };
  const driver = driverOf(database);
  const exact = await quotaIsExact(driver, namespace);
  const seen: readonly (readonly [words: string, holds: boolean])[] = [
    ["`glob` and `grep` run in SQL", await searchesInSql(driver, namespace)],
    ["exact quotas", exact],
    ["`load` and `dump` for many files", await loadsAndDumps(driver)],
  ];
  return seen.flatMap(([words, holds]) => (holds ? [words] : []));
}

/** As many writes at once as would be one too many: true when exactly one is refused. Leaves FILES files. */
async function quotaIsExact(driver: Driver, namespace: Namespace): Promise<boolean> {
  const root = storageOver(driver);
  await root.setQuota(namespace, { maxFiles: FILES, maxBytes: FILES * text.length });
  const storage = root.scope(namespace);
  const writes = await Promise.allSettled(Array.from({ length: FILES + 1 }, (_, index) => storage.write(`files/${index}.md`, text)));
  const refused = writes.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  const [error] = refused;
  if (error !== undefined && !isHangoError(error, "quota_exceeded")) throw error;
  return refused.length === 1 && (await root.usage(namespace)).files === FILES;
}

/** True when a search that finds nothing gets no file's path out of the database. */
async function searchesInSql(driver: Driver, namespace: Namespace): Promise<boolean> {
  let paths = 0;
  const run: Driver["run"] = async (statements, options) => {
    const result = await driver.run(statements, options);
    paths += JSON.stringify(result.rows).split("files/").length - 1;
    return result;
  };
  const storage = storageOver({ ...driver, run }).scope(namespace);
  if ((await storage.list()).length !== FILES || paths < FILES) throw new Error("The paths that a listing takes were not counted.");
  paths = 0;
  await storage.glob({ root: "", pattern: parseGlob("**/*.txt"), limit: FILES });
  await storage.grep({ root: "", pattern: parsePattern("needle"), context: 0, limit: FILES });
  return paths === 0;
}

/** True when what goes in as a stream comes out as one. */
async function loadsAndDumps(driver: Driver): Promise<boolean> {
  const root = storageOver(driver);
  const namespace: Namespace = { tenantId: uuidFor("tenant"), agentId: uuidFor("stream") };
  const paths = ["a.md", "b.md"];
  await root.load(
    namespace,
    paths.map((path) => ({ path, bytes: text })),
  );
  const dumped: string[] = [];
  for await (const { info } of root.dump(namespace)) dumped.push(info.path);
  return dumped.join() === paths.join();
}
