/** What makes every series of the server: ordinary work, changes that come too late, a quota used up, and a database that stands still for a while. */
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase, postgresStorage } from "hango/postgres";
import pg from "pg";
import type { ServeProcess } from "../../packages/cli/src/serve/serve.test-support.ts";

/** Of the sample agent's files, and more than it starts with. */
const QUOTA_BYTES = 200_000;
/** The alert on conflicts wants more than 100 in 15 minutes. */
const STALE_CHANGES = 120;
/** The alert on a failing store wants more than 0.1 a second over 5 minutes, which are 30; what waits longer than 2 s for a connection is one. */
const WAITING_READS = 70;
const STALL_MS = 3_000;

export async function limitQuota(databaseUrl: string, { tenantId, agentId }: ServeProcess): Promise<void> {
  const database = await openDatabase(databaseUrl, { rowLevelSecurity: false });
  try {
    await postgresStorage(database).setQuota({ tenantId, agentId }, { maxBytes: QUOTA_BYTES });
  } finally {
    await database.close();
  }
}

/** Errors: plain Error when an answer is not the one that a step is there for. */
export async function ordinaryWork({ ask, agentId }: ServeProcess): Promise<void> {
  const agent = `/v1/agents/${agentId}`;
  const file = `${agent}/files/memories/a.md`;
  const steps: readonly (readonly [status: number, path: string, init?: RequestInit])[] = [
    [201, file, { method: "PUT", body: "first line\n", headers: { "if-none-match": "*" } }],
    [200, file],
    [200, `${file}?view=lines`],
    [404, `${agent}/files/memories/none.md`],
    [200, `${agent}/files`],
    [200, `${agent}/files?recursive=true`],
    [200, `${agent}/grep?pattern=first`],
    [200, `${agent}/glob?pattern=**/*.md`],
    [507, `${agent}/files/memories/large`, { method: "PUT", body: "x".repeat(QUOTA_BYTES + 1), headers: { "if-none-match": "*" } }],
    ...Array.from({ length: STALE_CHANGES }, () => [412, file, { method: "PUT", body: "x", headers: { "if-match": '"stale"' } }] as const),
    [204, file, { method: "DELETE", headers: { "if-match": "*" } }],
  ];
  for (const [status, path, init] of steps) {
    const answer = await ask(path, init);
    const body = await answer.text();
    if (answer.status !== status) throw new Error(`${init?.method ?? "GET"} ${path} is answered with ${answer.status}, not ${status}: ${body.slice(0, 500)}`);
  }
}

/** Nobody reads a file meanwhile: some hold all connections, the rest waits for one and is refused. */
export async function stalledDatabase(databaseUrl: string, { ask, agentId }: ServeProcess): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin; lock table hango.agent_files in access exclusive mode");
    const reads = Promise.all(Array.from({ length: WAITING_READS }, () => ask(`/v1/agents/${agentId}/files/README.md`).then((answer) => answer.text())));
    await pause(STALL_MS);
    await client.query("rollback");
    await reads;
  } finally {
    await client.end();
  }
}
