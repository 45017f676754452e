/** The long run of cas.pg.test.ts. Sizes: HANGO_CAS_OPERATIONS (100000), HANGO_SEED. */
import { randomUUID } from "node:crypto";
import { driverOf, openDatabase } from "../../../packages/hango/src/storages/postgres/database.ts";
import { postgresStorage } from "../../../packages/hango/src/storages/postgres/postgres-storage.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { runCas } from "../cas-run.ts";
import { report, seed, sizeFrom } from "./settings.ts";

const operations = sizeFrom("HANGO_CAS_OPERATIONS", 100_000);
const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
const server = await startPostgres();
const database = await openDatabase(server.url, { migrate: true, rowLevelSecurity: false, maxConnections: 16 });
const query = async (text: string) => (await driverOf(database).run([{ text, values: [] }], { namespace })).rows[0] ?? [];
report("64 clients", { ...(await runCas(postgresStorage(database).scope(namespace), query, { seed, clients: 64, operations, paths: 16 })) });
await database.close();
await server.stop();
