/** `hango serve` as it starts: with another beside it, and asked to end before it is there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateUp } from "hango/postgres";
import { beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { freshDatabase } from "../../../../test/support/fresh-database.ts";
import { ensureBuilt, HANGO_BIN, userEnvironment } from "../built.test-support.ts";
import { startServe } from "./serve.test-support.ts";

beforeAll(ensureBuilt, 240_000);

it("two servers that start at once on an empty Postgres both serve, and there is a key that opens both", async () => {
  const database = await freshDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  await migrateUp(database.url, { server: true });
  const start = (): ReturnType<typeof startServe> => startServe(database.url, { args: ["--allow-unfenced"] });
  const servers = await Promise.all([start(), start()]);
  const keys = servers.map(({ key }) => key).filter((key) => key !== "");
  expect(keys).not.toEqual([]);
  for (const key of keys) for (const server of servers) expect((await server.ask("/v1/agents", { key })).status).toBe(200);
  const [first] = servers;
  const { agents } = (await (await first.ask("/v1/agents", { key: keys[0] ?? "" })).json()) as { readonly agents: readonly unknown[] };
  expect(agents).toHaveLength(1);
  expect(await Promise.all(servers.map((server) => server.end()))).toEqual(servers.map(() => ({ code: 0, signal: null })));
}, 120_000);

it("asked to end while it opens the store it does not begin to serve, and makes no key: it made one and went", async () => {
  const directory = mkdtempSync(join(tmpdir(), "hango-serve-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  const db = `pglite:${join(directory, "data")}`;
  const child = spawn(process.execPath, [HANGO_BIN, "serve", "--db", db, "--port", "0"], { env: userEnvironment() });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  // What it lays down first, before Postgres starts.
  await vi.waitUntil(() => readdirSync(directory).length > 0, { timeout: 60_000, interval: 5 });
  child.kill("SIGTERM");
  const [code] = (await once(child, "close")) as readonly unknown[];
  expect([code, said.includes("http"), said.includes('"msg":"closed"')]).toEqual([0, false, true]);
  // The next start is still the first.
  const server = await startServe(db);
  expect(server.key).not.toBe("");
  expect(await server.end()).toEqual({ code: 0, signal: null });
}, 120_000);
