import { describe, it } from "vitest";
import { memoryStorage, type Storage } from "hango";
import { publicCases } from "./cases/index.ts";
import { offloadCases } from "./cases/offload.ts";
import { runPublicCase } from "./cases/run.ts";
import { openPglite, openPostgres } from "./conformance/databases.ts";

const storages: ReadonlyMap<string, () => Storage> = new Map([
  ["memory", memoryStorage],
  ["PGlite", openPglite().tree],
  ["Postgres", openPostgres().tree],
]);

for (const [storage, open] of storages) {
  describe(`public cases on ${storage}`, () => {
    for (const [kind, cases] of publicCases) for (const one of cases) it(`${kind}: ${one.name} (${one.source})`, () => runPublicCase(open(), one));
    for (const one of offloadCases) it(`offload: ${one.name} (${one.source})`, () => one.run(open()));
  });
}
