import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Namespace, PathFilter } from "../../../storage.ts";
import type { Statement } from "../driver/driver.ts";
import { makeStageSql } from "../load/load-sql.ts";
import { allStatements } from "./all-statements.ts";
import { lsSql, walkValues } from "./ls.ts";
import { inScope } from "./scope.ts";
import { statSql } from "./stat.ts";
import { tablesOf } from "./tables.ts";
import { openSubject, type Subject } from "../../../../../../test/support/postgres-subject.ts";
import { filterShape, visibleValues } from "./visible.ts";

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

const SESSION = "5c0b7ad4-0000-4000-8000-000000000001";
const OTHER = "5c0b7ad4-0000-4000-8000-000000000002";
const sessionOnly: PathFilter = {
  hide: [],
  hideAnyCase: ["large_tool_results", "large_tool_results/", "conversation_history", "conversation_history/"],
  show: [`large_tool_results/${SESSION}/`, `conversation_history/${SESSION}.md`],
};

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

describe("the plans on a filled Postgres", () => {
  let subject: Subject;
  let filled: Namespace;
  let tables: ReturnType<typeof tablesOf>;

  async function fill(namespace: Namespace, path: string, rows: number): Promise<void> {
    await subject.query(
      `insert into ${tables.files} (id, tenant_id, agent_id, path, content, size_bytes, content_type) select gen_random_uuid(), $1, $2, ${path}, 'line ' || n, octet_length('line ' || n), 'text/plain' from generate_series(1, $3::int) n`,
      [namespace.tenantId, namespace.agentId, rows],
    );
  }

  async function planOf(statement: Statement, options: string): Promise<PlanNode> {
    const [row] = await subject.query(`explain (${options}, format json) ${statement.text}`, statement.values);
    return (row!["QUERY PLAN"] as readonly { readonly Plan: PlanNode }[])[0]!.Plan;
  }

  async function buffersOf(statement: Statement): Promise<number> {
    // Twice: the first one fills the catalog caches.
    await planOf(statement, "analyze, buffers");
    const plan = await planOf(statement, "analyze, buffers");
    return (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
  }

  beforeAll(async () => {
    subject = await openSubject("postgres", { maxConnections: 1 });
    tables = tablesOf(subject.driver.schema);
    filled = subject.namespace();
    await fill(filled, "'/d' || n % 20 || '/f' || n", 3000);
    await subject.query(
      `insert into ${tables.files} (id, tenant_id, agent_id, path, content, size_bytes, content_type) select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '/f' || n, 'x', 1, 'text/plain' from generate_series(1, 3000) n`,
    );
    await subject.query(`insert into ${tables.usage} (tenant_id, agent_id) select gen_random_uuid(), gen_random_uuid() from generate_series(1, 3000)`);
    await subject.query(`insert into ${tables.trees} (tenant_id, agent_id) select gen_random_uuid(), gen_random_uuid() from generate_series(1, 3000)`);
    await subject.query(
      `insert into ${tables.events} (tenant_id, id, agent_id, action, outcome, path, actor) select case when n % 2 = 0 then $1::uuid else gen_random_uuid() end, gen_random_uuid(), gen_random_uuid(), 'file.write', 'ok', '/a', 'agent' from generate_series(1, 3000) n`,
      [filled.tenantId],
    );
    for (const table of Object.values(tables)) await subject.query(`analyze ${table as string}`);
  });
  afterAll(() => subject.close());

  it("read no table but by an index, in any statement", async () => {
    const scans: string[] = [];
    const byIndex = new Set<string>();
    // Parameters without values are taken in the simple protocol only, so on a connection of its own.
    const client = new pg.Client({ connectionString: subject.url });
    await client.connect();
    try {
      // The table that a load fills lives as long as its transaction, and is read whole.
      await client.query(`begin; ${makeStageSql(subject.driver.schema).text}`);
      for (const [name, { text }] of allStatements(subject.driver.schema)) {
        const { rows } = await client.query<Record<string, readonly { readonly Plan: PlanNode }[]>>(`explain (generic_plan, format json) ${text}`);
        for (const node of nodesOf(rows[0]!["QUERY PLAN"]![0]!.Plan)) {
          if (node["Node Type"] === "Seq Scan" && node["Relation Name"] !== "hango_load") scans.push(`${name}: ${node["Relation Name"]}`);
          if (node["Node Type"].startsWith("Index")) byIndex.add(name);
        }
      }
    } finally {
      await client.end();
    }
    expect(scans).toEqual([]);
    // What only inserts reads nothing.
    expect([...allStatements(subject.driver.schema).keys()].filter((name) => !byIndex.has(name))).toEqual([
      "load:usage",
      "record",
      "setQuota",
      "lock:advisory",
      "lock:row",
    ]);
  });

  it.each(["apply:many", "load"])("of %s join without nested loops, which made 4,000 changes of a commit take 25 seconds", async (name) => {
    const client = new pg.Client({ connectionString: subject.url });
    await client.connect();
    try {
      await client.query(`begin; set local enable_nestloop = off; ${makeStageSql(subject.driver.schema).text}`);
      const { rows } = await client.query<Record<string, readonly { readonly Plan: PlanNode }[]>>(
        `explain (generic_plan, format json) ${allStatements(subject.driver.schema).get(name)!.text}`,
      );
      expect(nodesOf(rows[0]!["QUERY PLAN"]![0]!.Plan).filter((node) => node["Node Type"] === "Nested Loop")).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it("of ls touch as much with 20,000 files below the entries as with 100", async () => {
    const [few, many] = [subject.namespace(), subject.namespace()];
    await fill(few, "'/d' || n % 20 || '/f' || n", 100);
    await fill(many, "'/d' || n % 20 || '/f' || n", 20_000);
    const ls = (namespace: Namespace): Statement =>
      inScope({ driver: subject.driver, namespace }, lsSql(subject.driver.schema, "0"), { ...walkValues(""), limit: 1001 });
    const [before, after] = [await buffersOf(ls(few)), await buffersOf(ls(many))];
    // 21 seeks; an index of the whole table is as high for one as for the other.
    expect(after).toBeLessThan(before * 1.5);
    expect(after).toBeLessThan(21 * 8);
  });

  it('look a path up in the long lists of a filter: "a grep with 100 hidden paths over 20,000 files: 1,659 ms, with 1,000: timeout"', async () => {
    const client = new pg.Client({ connectionString: subject.url });
    await client.connect();
    try {
      const long = [...allStatements(subject.driver.schema)].filter(([name]) => /\b[12]\+/.test(name));
      expect(long.length).toBeGreaterThan(20);
      for (const [name, { text }] of long) {
        const { rows } = await client.query<Record<string, unknown>>(`explain (generic_plan, verbose, format json) ${text}`);
        const plan = JSON.stringify(rows[0]?.["QUERY PLAN"]);
        // Not hashed, the subquery would run for each row.
        expect([name, (plan.match(/\(ANY /g) ?? []).length]).toEqual([name, (plan.match(/= \(hashed SubPlan/g) ?? []).length]);
        expect(plan, name).toContain("hashed SubPlan");
      }
    } finally {
      await client.end();
    }
  });

  it.each([
    ["short", []],
    ["long", Array.from({ length: 100 }, (_, index) => `elsewhere/${index}/`)],
  ])("of ls and stat jump 20,000 hidden files, with %s lists", async (_length, elsewhere) => {
    const filters: readonly PathFilter[] = [{ ...sessionOnly, hide: elsewhere }];
    const shape = filterShape(filters);
    const namespace = subject.namespace();
    await fill(namespace, "'/docs/f' || n", 3);
    await fill(namespace, `'/large_tool_results/${OTHER}/' || n`, 20_000);
    await fill(namespace, `'/conversation_history/' || n || '.md'`, 5_000);
    await fill(namespace, `'/large_tool_results/${SESSION}/' || n`, 2);
    const scope = { driver: subject.driver, namespace };
    const values = { ...walkValues(""), ...visibleValues(filters), limit: 1001 };
    expect(await buffersOf(inScope(scope, lsSql(subject.driver.schema, shape), values))).toBeLessThan(120);
    expect((await subject.storage.scope(namespace).ls("", { filters })).map((entry) => (entry.kind === "directory" ? entry.path : entry.info.path))).toEqual([
      "docs",
      "large_tool_results",
    ]);
    const statOf = { ...walkValues("conversation_history"), ...visibleValues(filters), path: "/conversation_history" };
    expect(await buffersOf(inScope(scope, statSql(subject.driver.schema, shape), statOf))).toBeLessThan(60);
    expect(await subject.storage.scope(namespace).stat("conversation_history", { filters })).toBeUndefined();
  });
});
