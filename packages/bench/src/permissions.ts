/**
 * What many denied paths cost a session: `npm exec -c "node packages/bench/src/permissions.ts [postgres|pglite] [files] [paths,paths,…]"`.
 * Each path is denied as a file and as a directory. Shown are the best of three calls, of sessions that differ by their policy only.
 */
import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { isHangoError } from "../../hango/src/errors.ts";
import { openSession } from "../../hango/src/session/session.ts";
import { driverOf } from "../../hango/src/storages/postgres/database.ts";
import { postgresStorage } from "../../hango/src/storages/postgres/postgres-storage.ts";
import { type EngineName, openEngine } from "./core/engine.ts";

const CALLS = 3;
const DIRECTORIES = 200;
const DAY_MS = 86_400_000;
const insertSql = `insert into hango.agent_files (id, tenant_id, agent_id, path, content, size_bytes, content_type)
  select gen_random_uuid(), $1::uuid, $2::uuid, '/src/module-' || n % ${DIRECTORIES} || '/part/file-' || n || case when n / ${DIRECTORIES} % 4 = 0 then '.md' else '.ts' end,
    repeat('export const value = ' || n || ';' || chr(10), 20), 20 * octet_length('export const value = ' || n || ';' || chr(10)), 'text/plain'
    from generate_series(1, $3::int) n`;

/** Files that the glob finds, of all directories in turn. */
function denied(paths: number): readonly string[] {
  return Array.from({ length: paths }, (_, index) => Math.floor(index / DIRECTORIES) * DIRECTORIES * 4 + (index % DIRECTORIES)).flatMap((n) => {
    const path = `/src/module-${n % DIRECTORIES}/part/file-${n}.md`;
    return [path, `${path}/`];
  });
}

async function bestMs(call: () => Promise<unknown>): Promise<string> {
  let best = DAY_MS;
  for (let made = 0; made < CALLS; made++) {
    const start = performance.now();
    try {
      await call();
    } catch (error) {
      if (isHangoError(error, "timeout")) continue;
      throw error;
    }
    best = Math.min(best, performance.now() - start);
  }
  return best === DAY_MS ? "timeout" : best.toFixed(1);
}

async function main(name: EngineName, files: number, counts: readonly number[]): Promise<void> {
  const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
  const engine = await openEngine(name, namespace, "off");
  try {
    await engine.ask(insertSql, [namespace.tenantId, namespace.agentId, files]);
    await driverOf(engine.database).run([{ text: "analyze hango.agent_files", values: [] }], { namespace });
    process.stdout.write(`${engine.version}; ${files} files; load average ${loadavg()[0]?.toFixed(1)}\n`);
    for (const count of counts) {
      const policy = { permissions: [{ operations: ["read"], paths: denied(count), mode: "deny" }] } as const;
      const session = openSession({ storage: postgresStorage(engine.database).scope(namespace), sessionId: randomUUID(), ...(count === 0 ? {} : { policy }) });
      const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
        ["ls", () => session.fs.ls("/src")],
        ["ls of files", () => session.fs.ls("/src/module-4/part")],
        ["list", () => session.storage.list({ limit: 1000 })],
        ["glob", () => session.fs.glob("**/*.md")],
        ["grep", () => session.fs.grep("nowhere in it")],
        ["stat", () => session.fs.stat("/src/module-5/part/file-205.ts")],
      ];
      const figures: string[] = [];
      for (const [what, call] of calls) figures.push(`${what} ${await bestMs(call)}`);
      process.stdout.write(`${count} paths, ms: ${figures.join(", ")}\n`);
    }
  } finally {
    await engine.close();
  }
}

const [name = "postgres", files = "20000", counts = "0,100,1000,5000"] = process.argv.slice(2);
await main(name === "pglite" ? "pglite" : "postgres", Number(files), counts.split(",").map(Number));
