import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Namespace } from "../../../storage.ts";
import { tenancyOver } from "../tenancy/tenancy.ts";
import type { Principal } from "../../../tenancy.ts";
import { parseGlob } from "../../../text/glob.ts";
import { parsePattern } from "../../../text/pattern/pattern.ts";
import { bytesOf, ENGINES, openSubject, type Subject, textAt } from "../../../../../../test/support/postgres-subject.ts";

type View = (subject: Subject, namespace: Namespace) => Promise<unknown>;

/** Each table that carries a tenant, and how a namespace's own view of it is read. A table that is not here fails the test. */
const VIEWS: readonly (readonly [string, View])[] = [
  [
    "agent_files",
    async ({ storage }, namespace) => {
      const files = storage.scope(namespace);
      return [
        (await files.list()).map(({ path }) => path),
        await files.glob({ pattern: parseGlob("**"), root: "", limit: 9 }),
        (await files.grep({ pattern: parsePattern("of"), root: "", context: 0, limit: 9 })).map(({ text }) => text),
        (await files.ls("")).length,
        await textAt(files, "same/path"),
      ];
    },
  ],
  ["agent_usage", ({ storage }, namespace) => storage.usage(namespace)],
  ["audit_events", async ({ storage }, namespace) => (await storage.events(namespace)).map(({ id: _id, at: _at, version: _version, ...event }) => event)],
  // Holds only the ids that a transaction locks; two namespaces never wait for each other's.
  ["agent_trees", async () => "nothing is read from it"],
  ["tenants", async (subject, { tenantId }) => [await tenancyOver(subject.driver).findTenant(tenantId), await tenancyOver(subject.driver).usage(tenantId)]],
  ["agents", async (subject, mine) => tenancyOver(subject.driver).agents.find(owner(mine), mine.agentId)],
  ["agent_sessions", async (subject, mine) => tenancyOver(subject.driver).listSessions(mine, { limit: 9 })],
  ["api_keys", async (subject, { tenantId }) => tenancyOver(subject.driver).listKeys(tenantId, { limit: 9 })],
  ["sign_ins", async (subject, { tenantId }) => subject.query("select * from hango.sign_ins where tenant_id = $1::uuid", [tenantId])],
];

/** What only a tenant has, so another agent of it shares it. */
const OF_TENANT: ReadonlySet<string> = new Set(["tenants", "api_keys", "sign_ins"]);
const owner = ({ tenantId }: Namespace): Principal => ({ tenantId, subject: "ann", role: "owner" });

/** Makes the tenant and the agent where they are not yet, and gives each something in every table. */
async function register(subject: Subject, { tenantId, agentId }: Namespace): Promise<void> {
  const tenancy = tenancyOver(subject.driver);
  if ((await tenancy.findTenant(tenantId)) === undefined) {
    await tenancy.createTenant({ id: tenantId, name: tenantId });
    const { key } = await tenancy.createKey(tenantId, { subject: tenantId, role: "owner" });
    await tenancy.signIn.create(key);
  }
  if ((await tenancy.agents.find(owner({ tenantId, agentId }), agentId)) !== undefined) return;
  await tenancy.createAgent(tenantId, { id: agentId, name: tenantId, createdBy: tenantId });
  await tenancy.createSession({ tenantId, agentId }, { createdBy: tenantId });
}

describe.each(ENGINES)("namespaces on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine, { server: true });
  });
  afterAll(() => subject.close());

  it("are kept apart in every table that carries a tenant", async () => {
    const tables = await subject.query(
      "select table_name::text as name from information_schema.columns where table_schema = $1 and column_name = 'tenant_id' order by 1",
      [subject.driver.schema],
    );
    expect(tables.map(({ name }) => name)).toEqual(VIEWS.map(([table]) => table).toSorted());
  });

  it.each(VIEWS)("see nothing of each other in %s: other tenant, other agent of the tenant, same agent id elsewhere", async (table, view) => {
    const mine = subject.namespace();
    const fill = async (namespace: Namespace, text: string): Promise<void> => {
      await register(subject, namespace);
      await subject.storage.scope(namespace).write("same/path", bytesOf(text));
    };
    await fill(mine, "of mine");
    const before = await view(subject, mine);
    const [stranger, sister, namesake] = [
      subject.namespace(),
      { ...subject.namespace(), tenantId: mine.tenantId },
      { ...subject.namespace(), agentId: mine.agentId },
    ];
    for (const other of OF_TENANT.has(table) ? [stranger, namesake] : [stranger, sister, namesake]) {
      await fill(other, "of another");
      await subject.storage.scope(other).write("another", bytesOf("of another"));
      await subject.storage.setQuota(other, { maxFiles: 5 });
    }
    expect(await view(subject, mine)).toEqual(before);
    expect(before).not.toEqual([]);
  });
});
