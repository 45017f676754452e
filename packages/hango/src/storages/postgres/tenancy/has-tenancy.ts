/** Whether a database has a server's tables, so that `tenancyOf` works on it. */
import { type Database, driverOf } from "../database.ts";
import { tenancyTablesOf } from "./tables.ts";
import { NIL_ID } from "./tenant-scope.ts";

/** True also for a database that was opened without `server: true`. */
export async function hasTenancy(database: Database): Promise<boolean> {
  const driver = driverOf(database);
  // The catalog alone: it is of no tenant.
  const asked = { text: "select to_regclass($1::text) is not null as there", values: [tenancyTablesOf(driver.schema).tenants] };
  const { rows } = await driver.run([asked], { namespace: { tenantId: NIL_ID, agentId: "" } });
  return rows.at(-1)?.[0]?.["there"] === true;
}
