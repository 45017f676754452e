/** The long run of the pattern fuzz: the machine, RE2, Postgres and PGlite on the same pairs. Sizes: HANGO_FUZZ_PAIRS (20000), HANGO_FUZZ_SEED. */
import { randomUUID } from "node:crypto";
import { openDatabase, postgresStorage } from "../../../packages/hango/src/storages/postgres/index.ts";
import { freshSeed } from "../../../packages/hango/src/testing/random.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { compareAll, fuzzCase, type FuzzFigures } from "../fuzz.ts";

const PROGRESS_PAIRS = 2_000;

const pairs = Number(process.env["HANGO_FUZZ_PAIRS"] ?? 20_000);
const seed = Number(process.env["HANGO_FUZZ_SEED"] ?? freshSeed());
const server = await startPostgres();
const databases = [
  ["postgres", await openDatabase(server.url, { migrate: true, rowLevelSecurity: false })],
  ["pglite", await openDatabase("pglite:", { migrate: true })],
] as const;
const storages = new Map(databases.map(([name, database]) => [name, postgresStorage(database).scope({ tenantId: randomUUID(), agentId: randomUUID() })]));
const figures: FuzzFigures = { pairs: 0, patterns: 0, lines: 0, matches: 0, differences: [] };
let next = seed;
for (let told = PROGRESS_PAIRS; figures.pairs < pairs; next++) {
  const one = fuzzCase(next);
  if (one === undefined) continue;
  await compareAll(one, storages, figures);
  if (figures.pairs < told) continue;
  told += PROGRESS_PAIRS;
  process.stdout.write(`${figures.pairs} pairs, ${figures.differences.length} differences\n`);
}
const { differences, ...counts } = figures;
process.stdout.write(`machine, re2js, Postgres, PGlite: ${JSON.stringify({ seeds: `${seed} to ${next - 1}`, ...counts, differences: differences.length })}\n`);
for (const difference of differences.slice(0, 20)) process.stdout.write(`  ${difference}\n`);
if (differences.length > 0) process.exitCode = 1;
for (const [, database] of databases) await database.close();
await server.stop();
