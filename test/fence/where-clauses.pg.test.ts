/** The second fence alone: with each clause on tenant and agent taken out of each statement, nothing of another namespace is read or changed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Namespace } from "../../packages/hango/src/storage.ts";
import { driverOf, openDatabase } from "../../packages/hango/src/storages/postgres/database.ts";
import type { Driver, Statement } from "../../packages/hango/src/storages/postgres/driver/driver.ts";
import { NAMESPACE_TABLES, TENANCY_TABLES } from "../../packages/hango/src/storages/postgres/migrations/tables.ts";
import { storageOver } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import { allStatements } from "../../packages/hango/src/storages/postgres/sql/all-statements.ts";
import { EVERY_TENANT, tenancyStatements } from "../../packages/hango/src/storages/postgres/tenancy/all-statements.ts";
import { tenancyOver } from "../../packages/hango/src/storages/postgres/tenancy/tenancy.ts";
import { type FencedDatabase, openFenced } from "../support/fenced-database.ts";
import { bytesOf, losingAnswers } from "../support/postgres-subject.ts";
import { type Hand, type Use, USES } from "./uses.ts";

const SECRET = "of another";
/** Tenant and agent are one clause, so that what is left never holds a tenant by itself; the parameters stay, or the server could not tell their types. */
const CLAUSE = /(?:\w+\.)?tenant_id = (\$\d+)::uuid(?: and (?:\w+\.)?agent_id = (\$\d+)::uuid)?/g;

function clausesOf(text: string): number {
  return [...text.matchAll(CLAUSE)].length;
}

function withoutClause(text: string, index: number | "all"): string {
  let at = 0;
  return text.replace(CLAUSE, (clause, tenant: string, agent: string | undefined) => {
    if (index !== "all" && at++ !== index) return clause;
    return `${tenant}::uuid is not null${agent === undefined ? "" : ` and ${agent}::uuid is not null`}`;
  });
}

/** Sends each statement through `change` and notes which texts there were. */
function changing(driver: Driver, change: (text: string) => string): { readonly driver: Driver; readonly texts: ReadonlySet<string> } {
  const texts = new Set<string>();
  const changed = (statements: readonly Statement[]): readonly Statement[] =>
    statements.map((statement) => {
      texts.add(statement.text);
      return { ...statement, text: change(statement.text) };
    });
  return {
    texts,
    driver: {
      ...driver,
      run: (statements, options) => driver.run(changed(statements), options),
      begin: async (options) => {
        const transaction = await driver.begin(options);
        return { ...transaction, run: (statements) => transaction.run(changed(statements)) };
      },
    },
  };
}

describe("each statement without its clause on tenant and agent", { timeout: 600_000 }, () => {
  let fenced: FencedDatabase;
  let superuser: Awaited<ReturnType<typeof openDatabase>>;
  const handOver = (driver: Driver): Hand => ({
    files: storageOver(driver),
    losing: storageOver(losingAnswers(driver)),
    rowLocked: storageOver({ ...driver, capabilities: { ...driver.capabilities, treeLock: "row" } }),
    tenancy: tenancyOver(driver),
  });
  const all = new Map([...allStatements("hango"), ...tenancyStatements("hango")]);

  beforeAll(async () => {
    fenced = await openFenced();
    superuser = await openDatabase(fenced.url, { rowLevelSecurity: false, server: true });
  });
  afterAll(async () => {
    await superuser.close();
    await fenced.close();
  });

  async function makeNamespace(text: string, tenantId?: string): Promise<Namespace> {
    const { files, tenancy } = handOver(driverOf(superuser));
    const tenant = tenantId ?? (await tenancy.createTenant({ name: text })).id;
    const mine = { tenantId: tenant, agentId: (await tenancy.createAgent(tenant, { name: text, createdBy: text })).id };
    await files.scope(mine).write("same/path", bytesOf(text));
    await files.scope(mine).write("large_tool_results/0190b8c2-0000-7000-8000-000000000001/r", bytesOf(text));
    return mine;
  }

  async function fillOther(): Promise<Namespace> {
    const other = await makeNamespace(SECRET);
    const { files, tenancy } = handOver(driverOf(superuser));
    await files.scope(other).write("another", bytesOf(SECRET));
    await tenancy.createSession(other, { name: SECRET, createdBy: SECRET });
    const { key } = await tenancy.createKey(other.tenantId, { subject: SECRET, role: "owner" });
    await tenancy.signIn.create(key);
    return other;
  }

  async function everythingOf(other: Namespace): Promise<string> {
    const statements = [...NAMESPACE_TABLES, ...TENANCY_TABLES].map((table) => ({
      text: `select t::text as row from hango.${table} t where tenant_id = $1::uuid order by 1`,
      values: [other.tenantId],
    }));
    return JSON.stringify((await driverOf(superuser).run(statements, { namespace: other })).rows);
  }

  const shown = async (use: () => Promise<unknown>): Promise<string> => {
    const answer = await use().catch((error: unknown) => error);
    return JSON.stringify([answer], (_key, value: unknown) => {
      if (value instanceof Uint8Array) return new TextDecoder().decode(value);
      return value instanceof Error ? { ...value, message: value.message } : value;
    });
  };

  it("leaks nothing to the role that the policies hold for, and changes nothing of another's", async () => {
    const other = await fillOther();
    const before = await everythingOf(other);
    const known = new Map([...all].map(([name, { text }]) => [text, name]));
    const tried = new Set<string>();
    let cases = 0;
    for (const [name, use] of USES) {
      const seen = changing(driverOf(fenced.database), (text) => text);
      const mine = await makeNamespace("of mine");
      await shown(() => use(handOver(seen.driver), mine));
      for (const text of seen.texts) {
        tried.add(known.get(text) ?? "");
        // A statement that is sent on the way of several uses is tried with each.
        for (let index = 0; index < clausesOf(text); index++) {
          const cut = changing(driverOf(fenced.database), (sent) => (sent === text ? withoutClause(sent, index) : sent));
          const me = await makeNamespace("of mine");
          const answer = await shown(() => use(handOver(cut.driver), me));
          expect([name, known.get(text), index, answer.includes(SECRET), answer.includes(other.tenantId), answer.includes(other.agentId)]).toEqual([
            name,
            known.get(text),
            index,
            false,
            false,
            false,
          ]);
          cases += 1;
        }
      }
      expect([name, await everythingOf(other)]).toEqual([name, before]);
    }
    const left = [...all.keys()].filter((name) => !tried.has(name) && name !== EVERY_TENANT && clausesOf(all.get(name)?.text ?? "") > 0);
    expect(left).toEqual([]);
    expect(cases).toBeGreaterThanOrEqual(200);
  });

  it("would leak to a superuser: the test sees what it looks for", async () => {
    await fillOther();
    for (const name of ["read what only another has", "lines", "events", "agents", "keys", "audit"]) {
      const use = USES.get(name) as Use;
      const mine = await makeNamespace("of mine");
      const cut = changing(driverOf(superuser), (sent) => withoutClause(sent, "all"));
      const answer = await shown(() => use(handOver(cut.driver), mine));
      expect([name, answer.includes("another")]).toEqual([name, true]);
    }
  });
});
