/** The process that is killed: commits one round of changes after the other, and prints each that was acknowledged. Arguments: URL, tenant, agent. */
import { createOverlay } from "../../packages/hango/src/layers/overlay.ts";
import { openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import { postgresStorage } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import { ROUND_FILES, roundBytes } from "./rounds.ts";

const [url = "", tenantId = "", agentId = ""] = process.argv.slice(2);
const base = postgresStorage(await openDatabase(url, { rowLevelSecurity: false })).scope({ tenantId, agentId });
const { storage, commit } = createOverlay({ base });
const [first] = await base.list({ limit: 1 });
let round = first === undefined ? 0 : Number.parseInt(new TextDecoder().decode((await base.read(first.path)).bytes), 10);
for (;;) {
  round += 1;
  const held = new Set((await storage.list()).map(({ path }) => path));
  await storage.apply?.(
    Array.from({ length: ROUND_FILES }, (_, index) => {
      const path = `d${index % 7}/f${index}`;
      return { kind: held.has(path) ? "modify" : "create", path, bytes: roundBytes(round) } as const;
    }),
  );
  // Of each round one file is new and one is gone, so that all three kinds are in every commit.
  await storage.write(`z/round-${round}`, roundBytes(round));
  if (held.has(`z/round-${round - 1}`)) await storage.delete(`z/round-${round - 1}`);
  await commit();
  process.stdout.write(`${round}\n`);
}
