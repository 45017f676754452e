/** `hango serve` on a Postgres: fenced by a role of its own, and several processes on one database. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { createAppRole, migrateUp, openDatabase, postgresStorage, tenancyOf } from "hango/postgres";
import { type FreshDatabase, freshDatabase, onServer } from "../../../../test/support/fresh-database.ts";
import { ensureBuilt, runHango } from "../built.test-support.ts";
import { startServe } from "./serve.test-support.ts";

const role = `hango_serve_${process.pid}`;
let database: FreshDatabase;
/** As the role that owns nothing. */
let url: string;

beforeAll(async () => {
  await ensureBuilt();
  database = await freshDatabase(inject("postgresUrl"));
  await migrateUp(database.url, { server: true });
  await createAppRole(database.url, { role, password: "secret" });
  const own = new URL(database.url);
  own.username = role;
  own.password = "secret";
  url = own.href;
}, 240_000);
afterAll(async () => {
  await database.drop();
  await onServer(inject("postgresUrl"), `drop role if exists ${role}`);
});

interface Event {
  readonly id: string;
  readonly path: string;
}

/** Reads a stream until `count` events have come, and lets it go. */
async function readEvents(answer: Response, count: number): Promise<readonly Event[]> {
  const events: Event[] = [];
  let text = "";
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error("no body");
  while (events.length < count) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended after ${events.length} events`);
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) events.push(JSON.parse(data) as Event);
    }
  }
  await reader.cancel();
  return events;
}

describe("hango serve on Postgres", () => {
  it("refuses to start where row-level security would not hold, unless it may, and then says so", async () => {
    const ran = await runHango(["serve", "--db", database.url, "--port", "0"]);
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).toMatch(/Row-level security would not hold\. The role postgres is a superuser\..*--app-role NAME.*--allow-unfenced/s);
    const server = await startServe(database.url, { args: ["--allow-unfenced"] });
    expect(server.log()).toContainEqual(expect.objectContaining({ level: "warn", role: "postgres" }));
    expect(server.key).not.toBe("");
    await server.end();
  });

  it("shows each of two servers what is done through the other, from the last event on", async () => {
    const owner = await ownerKey();
    const [one, two] = [await startServe(url), await startServe(url)];
    expect([one.stdout(), two.stdout()]).toEqual([`${one.url}\n`, `${two.url}\n`]);
    expect(one.log()).toContainEqual(expect.objectContaining({ msg: expect.stringContaining("row-level security holds"), role }));
    const put = async (server: typeof one, name: string): Promise<void> => {
      const answer = await server.ask(`/v1/agents/${owner.agentId}/files/memories/${name}`, {
        key: owner.key,
        method: "PUT",
        body: name,
        headers: { "if-none-match": "*" },
      });
      expect(answer.status).toBe(201);
    };
    const events = (server: typeof one, after?: string): Promise<Response> =>
      server.ask(`/v1/agents/${owner.agentId}/events`, {
        key: owner.key,
        headers: { accept: "text/event-stream", ...(after === undefined ? {} : { "last-event-id": after }) },
      });

    const watching = await events(two);
    await put(one, "first.md");
    await put(two, "second.md");
    const seen = await readEvents(watching, 2);
    expect(seen.map(({ path }) => path)).toEqual(["/memories/first.md", "/memories/second.md"]);

    // Nobody watches now; the other process goes on from where this one stopped.
    await put(one, "third.md");
    const resumed = await readEvents(await events(one, seen[0]?.id), 2);
    expect(resumed.map(({ path }) => path)).toEqual(["/memories/second.md", "/memories/third.md"]);

    // A revoked key is gone from both at once.
    await withTenancy((tenancy) => tenancy.revokeKey(owner.tenantId, owner.keyId));
    expect([(await one.ask("/v1/agents", { key: owner.key })).status, (await two.ask("/v1/agents", { key: owner.key })).status]).toEqual([401, 401]);
    expect(await Promise.all([one.end(), two.end()])).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
    for (const server of [one, two]) expect(server.log().filter(({ msg }) => String(msg).includes("cut off"))).toEqual([]);
  });

  it("lets in who has a good token of a tenant that exists, and nobody else", async () => {
    const { tenantId } = await ownerKey();
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" };
    const provider = createServer((_, answer) => void answer.end(JSON.stringify({ keys: [jwk] })));
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void provider.close());
    const issuer = "https://id.example.com/";
    const server = await startServe(url, {
      env: {
        HANGO_JWT_ISSUER: issuer,
        HANGO_JWT_AUDIENCE: "files",
        HANGO_JWT_JWKS_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/keys`,
        HANGO_JWT_TENANT_CLAIM: "org",
      },
    });
    const status = async (claims: Readonly<Record<string, unknown>>): Promise<number> => {
      const exp = Math.floor(Date.now() / 1_000) + 60;
      const token = new SignJWT({ org: tenantId, sub: "ada", role: "admin", aud: "files", iss: issuer, exp, ...claims });
      return (await server.ask("/v1/agents", { key: await token.setProtectedHeader({ alg: "ES256", kid: "one" }).sign(privateKey) })).status;
    };
    expect(await status({})).toBe(200);
    expect(await status({ aud: "billing" })).toBe(401);
    expect(await status({ exp: 1 })).toBe(401);
    expect(await status({ org: "11111111-1111-4111-8111-111111111111" })).toBe(401);
    // Written beside the answers, not before them.
    await expect.poll(() => server.log(), { timeout: 20_000 }).toContainEqual(expect.objectContaining({ principal: "ada", role: "admin", status: 200 }));
  });

  it("turns away with 429 what one tenant searches beyond its share, while another tenant reads on", async () => {
    const [noisy, quiet] = [await ownerKey(), await ownerKey()];
    const line = "order 17 of customer 119 was paid in 3 days\n";
    const opened = await openDatabase(url, { server: true });
    const files = Array.from({ length: 300 }, (_, index) => ({ path: `d/${index}.txt`, bytes: new TextEncoder().encode(line.repeat(1_500)) }));
    await postgresStorage(opened).load({ tenantId: noisy.tenantId, agentId: noisy.agentId }, files);
    await opened.close();
    const server = await startServe(url);
    const leave = new AbortController();
    const pattern = encodeURIComponent("([a-z]+ [0-9]+ )+[A-Z]{5}$");
    const greps = Array.from({ length: 80 }, () =>
      server.ask(`/v1/agents/${noisy.agentId}/grep?pattern=${pattern}`, { key: noisy.key, signal: leave.signal }).then(async (answer) => {
        if (answer.status !== 429) throw new Error(`${answer.status}`);
        return { retryAfter: answer.headers.get("retry-after"), problem: (await answer.json()) as unknown };
      }),
    );
    const turnedAway = await Promise.any(greps);
    expect(turnedAway).toMatchObject({ retryAfter: "1", problem: { status: 429, code: "too_many_requests" } });
    expect((await server.ask(`/v1/agents/${quiet.agentId}/files`, { key: quiet.key })).status).toBe(200);
    leave.abort();
    await Promise.allSettled(greps);
    expect(await server.end()).toEqual({ code: 0, signal: null });
  });

  it("is not ready while the database is away, and is again when it is back, without a restart", async () => {
    const server = await startServe(url);
    expect((await server.ask("/readyz")).status).toBe(200);
    const name = new URL(url).pathname.slice(1);
    await onServer(inject("postgresUrl"), `alter database ${name} with allow_connections false`);
    try {
      await onServer(inject("postgresUrl"), `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      await expect.poll(async () => (await server.ask("/readyz")).status, { timeout: 20_000 }).toBe(503);
      expect((await server.ask("/healthz")).status).toBe(200);
      expect((await server.ask("/v1/agents", { key: "hango_any" })).status).toBe(503);
    } finally {
      await onServer(inject("postgresUrl"), `alter database ${name} with allow_connections true`);
    }
    await expect.poll(async () => (await server.ask("/readyz")).status, { timeout: 20_000 }).toBe(200);
    expect(await server.end()).toEqual({ code: 0, signal: null });
  });
});

describe("hango serve on a Postgres without the server's tables", () => {
  it("ends at once and names the command", async () => {
    const bare = await freshDatabase(inject("postgresUrl"));
    onTestFinished(bare.drop);
    const ran = await runHango(["serve", "--db", bare.url, "--port", "0"]);
    expect([ran.code, ran.stdout]).toEqual([5, ""]);
    expect(ran.stderr).toMatch(/hango migrate up/);
  });
});

interface Owner {
  readonly tenantId: string;
  readonly agentId: string;
  readonly keyId: string;
  readonly key: string;
}

async function withTenancy<T>(use: (tenancy: ReturnType<typeof tenancyOf>) => Promise<T>): Promise<T> {
  const opened = await openDatabase(url, { server: true });
  try {
    return await use(tenancyOf(opened));
  } finally {
    await opened.close();
  }
}

/** A tenant of its own with one agent. */
function ownerKey(): Promise<Owner> {
  return withTenancy(async (tenancy) => {
    const { id: tenantId } = await tenancy.createTenant({ name: "acme" });
    const { id: agentId } = await tenancy.createAgent(tenantId, { name: "helper", createdBy: "ada" });
    const { id: keyId, key } = await tenancy.createKey(tenantId, { subject: "ada", role: "owner" });
    return { tenantId, agentId, keyId, key };
  });
}
