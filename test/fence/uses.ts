/** Every way to use a server's store, so that each of its statements is sent. */
import type { Namespace } from "../../packages/hango/src/storage.ts";
import type { PostgresStorage } from "../../packages/hango/src/storages/postgres/postgres-storage.ts";
import type { Tenancy } from "../../packages/hango/src/storages/postgres/tenancy/tenancy.ts";
import { NIL_ID } from "../../packages/hango/src/storages/postgres/tenancy/tenant-scope.ts";
import type { AgentRow, Principal } from "../../packages/hango/src/tenancy.ts";
import { parseGlob } from "../../packages/hango/src/text/glob.ts";
import { parsePattern } from "../../packages/hango/src/text/pattern/pattern.ts";
import { bytesOf } from "../support/postgres-subject.ts";

export interface Hand {
  readonly files: PostgresStorage;
  /** Each statement is sent twice, as after an answer that was lost. */
  readonly losing: PostgresStorage;
  /** Where a server has no advisory locks. */
  readonly rowLocked: PostgresStorage;
  readonly tenancy: Tenancy;
}

/** A way to use the store in a namespace; the answer is looked at for what is another's. */
export type Use = (hand: Hand, mine: Namespace) => Promise<unknown>;

const filters = [{ hide: ["hidden/"], show: ["hidden/shown"] }];
const two = [...filters, { hide: ["x/"], show: [], hideAnyCase: ["Y/"] }];
const long = [{ hide: Array.from({ length: 20 }, (_, index) => `hidden/${index}/`), show: ["hidden/shown"] }];
/** Each shape that filters give a statement. */
const EVERY_FILTER = [[], filters, two, long, [...two.slice(1), ...long]];
async function collect(rows: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const one of rows) all.push(one);
  return all;
}
const owner = ({ tenantId }: Namespace): Principal => ({ tenantId, subject: "ann", role: "owner" });
const row = ({ tenantId, agentId }: Namespace): AgentRow => ({ tenantId, id: agentId, name: "", createdBy: "", createdAt: new Date(0) });

/** Every path, two tails, and one that needs an expression. */
const GLOBS = ["**", "**/*{er,other}", "**/a*o*r"].map((pattern) => parseGlob(pattern));
/** Too many stars for the server. */
const LONG = parseGlob(`**/{${"*a".repeat(200)},*}`);

/** With and without filters, context and include. */
function grepEveryWay(root: string): Use {
  return async ({ files }, mine) => {
    const answers: unknown[] = [];
    for (const some of EVERY_FILTER)
      for (const context of [0, 1])
        for (const include of [{}, { include: parseGlob("**") }])
          answers.push(await files.scope(mine).grep({ pattern: parsePattern("of"), root, context, limit: 99, filters: some, ...include }));
    return answers;
  };
}

export const USES: ReadonlyMap<string, Use> = new Map<string, Use>([
  ["list", async ({ files }, mine) => Promise.all(EVERY_FILTER.map((some) => files.scope(mine).list({ filters: some })))],
  ["read", async ({ files }, mine) => new TextDecoder().decode((await files.scope(mine).read("same/path")).bytes)],
  ["read what only another has", async ({ files }, mine) => files.scope(mine).read("another")],
  ["stat", async ({ files }, mine) => Promise.all(EVERY_FILTER.map((some) => files.scope(mine).stat("another", { filters: some })))],
  ["ls", async ({ files }, mine) => Promise.all(EVERY_FILTER.map((some) => files.scope(mine).ls("", { filters: some })))],
  ["lines", async ({ files }, mine) => files.scope(mine).lines("another", { offset: 1, limit: 9, maxLineChars: 99, column: 1 })],
  [
    "glob",
    async ({ files }, mine) =>
      Promise.all(GLOBS.flatMap((pattern) => EVERY_FILTER.map((some) => files.scope(mine).glob({ pattern, root: "", limit: 99, filters: some })))),
  ],
  [
    "glob with a pattern that is matched here",
    async ({ files }, mine) => Promise.all(EVERY_FILTER.map((some) => files.scope(mine).glob({ pattern: LONG, root: "", limit: 99, filters: some }))),
  ],
  ["grep", grepEveryWay("")],
  ["grep below a root", grepEveryWay("same")],
  ["write over", async ({ files }, mine) => files.scope(mine).write("same/path", bytesOf("new of mine"))],
  ["write new", async ({ files }, mine) => files.scope(mine).write("another", bytesOf("mine"))],
  ["delete", async ({ files }, mine) => files.scope(mine).delete("same/path")],
  ["delete what only another has", async ({ files }, mine) => files.scope(mine).delete("another")],
  [
    "apply",
    async ({ files }, mine) =>
      files.scope(mine).apply?.([
        { kind: "create", path: "made", bytes: bytesOf("m") },
        { kind: "modify", path: "same/path", bytes: bytesOf("m") },
      ]),
  ],
  [
    "apply many",
    async ({ files }, mine) =>
      files.scope(mine).apply?.(Array.from({ length: 70 }, (_, index) => ({ kind: "create" as const, path: `made/${index}`, bytes: bytesOf("m") }))),
  ],
  ["apply a delete", async ({ files }, mine) => files.scope(mine).apply?.([{ kind: "delete", path: "another" }])],
  ["delete with a lost answer", async ({ losing }, mine) => losing.scope(mine).delete("same/path")],
  ["write behind the portable lock", async ({ rowLocked }, mine) => rowLocked.scope(mine).write("new", bytesOf("mine"))],
  ["record", async ({ files }, mine) => files.scope(mine).record?.({ action: "file.write", outcome: "denied", path: "p" })],
  ["usage", async ({ files }, mine) => files.usage(mine)],
  ["setQuota", async ({ files }, mine) => files.setQuota(mine, { maxFiles: 1_000 })],
  ["events", async ({ files }, mine) => files.events(mine)],
  ["prune", async ({ files }, mine) => files.prune(mine, { olderThan: new Date(Date.now() + 60_000) })],
  ["dump", async ({ files }, mine) => Promise.all(EVERY_FILTER.map((some) => collect(files.dump(mine, { filters: some }))))],
  ["load", async ({ files }, mine) => files.load(mine, [{ path: "loaded", bytes: bytesOf("l") }])],
  ["erase", async ({ files }, mine) => files.erase(mine)],
  [
    "tenant",
    async ({ tenancy }, { tenantId }) => [
      await tenancy.findTenant(tenantId),
      await tenancy.usage(tenantId),
      await tenancy.setQuota(tenantId, { maxFiles: 999 }),
    ],
  ],
  ["createTenant", async ({ tenancy }, { tenantId }) => tenancy.createTenant({ id: tenantId, name: "again" })],
  ["deleteTenant", async ({ tenancy }, { tenantId }) => tenancy.deleteTenant(tenantId)],
  ["createAgent", async ({ tenancy }, { tenantId, agentId }) => tenancy.createAgent(tenantId, { id: agentId, name: "again", createdBy: "ann" })],
  ["deleteAgent", async ({ tenancy }, mine) => tenancy.deleteAgent(mine)],
  ["agents", async ({ tenancy }, mine) => [await tenancy.agents.list(owner(mine), { limit: 9 }), await tenancy.agents.find(owner(mine), mine.agentId)]],
  [
    "sessions",
    async ({ tenancy }, mine) => {
      const made = await tenancy.createSession(mine, { createdBy: "ann" });
      return [
        await tenancy.listSessions(mine, { limit: 99 }),
        await tenancy.agents.session(owner(mine), row(mine), made.id),
        await tenancy.deleteSession(mine, made.id),
      ];
    },
  ],
  [
    "keys",
    async ({ tenancy }, { tenantId }) => {
      const made = await tenancy.createKey(tenantId, { subject: "ann", role: "owner" });
      const signedIn = await tenancy.signIn.create(made.key);
      const found = await tenancy.signIn.find(signedIn?.token ?? "");
      await tenancy.signIn.end(signedIn?.token ?? "");
      return [await tenancy.authenticate(made.key), found, await tenancy.listKeys(tenantId, { limit: 99 }), await tenancy.revokeKey(tenantId, made.id)];
    },
  ],
  [
    "audit",
    async ({ tenancy }, mine) => [
      await tenancy.audit.list(mine.tenantId, { limit: 99 }),
      await tenancy.audit.list(mine.tenantId, { limit: 99, agentId: mine.agentId, filters }),
      await tenancy.audit.after(row(mine), { after: NIL_ID, limit: 99 }),
      await tenancy.audit.cursor(row(mine)),
    ],
  ],
  ["prune the record", async ({ tenancy }, { tenantId }) => tenancy.audit.prune(tenantId, { olderThan: new Date(Date.now() + 60_000) })],
]);
