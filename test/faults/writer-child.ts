/** The process that is killed: writes through the Postgres storage and prints each answer before it goes on. Arguments: URL, tenant, agent, seed, clients. */
import { openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import { postgresStorage } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import { runWorkload } from "./workload.ts";

const [url = "", tenantId = "", agentId = "", seed = "", clients = ""] = process.argv.slice(2);
const storage = postgresStorage(await openDatabase(url, { rowLevelSecurity: url.startsWith("pglite:") ? "auto" : false })).scope({ tenantId, agentId });
process.stdout.write('{"ready":true}\n');
await runWorkload({
  storage,
  seed: Number(seed),
  clients: Number(clients),
  goesOn: () => true,
  onAnswer: (answered) => void process.stdout.write(`${JSON.stringify(answered)}\n`),
});
