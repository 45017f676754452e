/** `hango serve` on a store of its own in a directory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ensureBuilt, runHango } from "../built.test-support.ts";
import { rawSocket } from "./raw-socket.test-support.ts";
import { startServe } from "./serve.test-support.ts";

beforeAll(ensureBuilt, 180_000);

function emptyStore(): string {
  const directory = mkdtempSync(join(tmpdir(), "hango-serve-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return `pglite:${join(directory, "data")}`;
}

/** Each start of a store in a directory takes seconds on a busy machine. */
const SEVERAL_STARTS_MS = 180_000;
const CANARY = "canary-7f3a: this text is in no log";

describe("hango serve on an empty store", { timeout: SEVERAL_STARTS_MS }, () => {
  it("makes a tenant, a sample agent and a key, prints it once, and keeps what was written over kill -9", async () => {
    const db = emptyStore();
    const first = await startServe(db);
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(first.key).toMatch(/^hango_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/);
    const files = `/v1/agents/${first.agentId}/files`;
    expect(await (await first.ask(`${files}/memories/AGENTS.md`)).text()).toContain("What to remember");

    const put = await first.ask(`${files}/memories/new.md`, {
      method: "PUT",
      body: CANARY,
      headers: { "if-none-match": "*", "content-type": "text/markdown" },
    });
    expect(put.status).toBe(201);
    expect((await first.ask(`${files}/notes/new.md`, { method: "PUT", body: "x", headers: { "if-none-match": "*" } })).status).toBe(403);
    expect((await first.ask("/v1/agents", { key: "hango_wrong" })).status).toBe(401);
    // The log is written beside the answers, so a kill may take its last lines along.
    await expect
      .poll(() => first.log(), { timeout: 20_000 })
      .toContainEqual(
        expect.objectContaining({
          msg: "request",
          method: "PUT",
          route: "/v1/agents/{id}/files",
          agent: first.agentId,
          status: 201,
          principal: "owner",
          role: "owner",
          ms: expect.any(Number),
        }),
      );
    expect(await first.end("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });

    const second = await startServe(db);
    expect(second.stdout()).toBe(`${second.url}\n`);
    const got = await second.ask(`${files}/memories/new.md`, { key: first.key });
    expect([got.status, await got.text(), got.headers.get("etag")]).toEqual([200, CANARY, put.headers.get("etag")]);
    expect(await second.end()).toEqual({ code: 0, signal: null });

    for (const server of [first, second]) {
      expect(server.stderr()).not.toContain(first.key);
      expect(server.stderr()).not.toContain("canary");
      expect(server.stderr()).not.toContain("new.md");
    }
    expect(first.stderr()).toContain("an embedded store has one role");
  });

  it("goes on with the files that other commands wrote, and makes the key that is missing", async () => {
    const db = emptyStore();
    expect((await runHango(["write", "/notes/mine.md", "--db", db], { input: "mine" })).code).toBe(0);
    const server = await startServe(db);
    expect(await (await server.ask(`/v1/agents/${server.agentId}/files/notes/mine.md`)).text()).toBe("mine");
    expect((await server.ask(`/v1/agents/${server.agentId}/files/README.md`)).status).toBe(404);
  });

  it("trades the key for a cookie, and bounds how often an address may be wrong", async () => {
    const server = await startServe(emptyStore());
    const signIn = (key: string): Promise<Response> =>
      fetch(`${server.url}/v1/sign-in`, { method: "POST", body: JSON.stringify({ key }), headers: { "content-type": "application/json" } });
    const cookie = (await signIn(server.key)).headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const asked = (): Promise<Response> => fetch(`${server.url}/v1/agents`, { headers: { cookie: cookie.split(";", 1)[0] ?? "" } });
    expect((await asked()).status).toBe(200);

    const statuses: number[] = [];
    for (let wrong = 0; wrong < 32; wrong++) statuses.push((await signIn(`hango_wrong_${wrong}`)).status);
    expect([statuses.indexOf(429), new Set(statuses)]).toEqual([30, new Set([401, 429])]);
    // Who was good a moment ago, at the same address, still comes in.
    expect([(await asked()).status, (await server.ask("/v1/agents")).status]).toEqual([200, 200]);
    const late = await server.ask("/v1/agents", { key: "hango_another" });
    expect([late.status, late.headers.get("retry-after")]).toEqual([429, "1"]);
  });
});

describe("SIGTERM", { timeout: SEVERAL_STARTS_MS }, () => {
  it("lets a request under way end, ends streams of events, takes nothing new and ends with 0", async () => {
    const server = await startServe(emptyStore());
    const files = `/v1/agents/${server.agentId}/files`;
    const stream = await server.ask(`/v1/agents/${server.agentId}/events`, { headers: { accept: "text/event-stream" } });
    const streamed = stream.text();
    const slow = await rawSocket(server.url);
    slow.send(
      `PUT ${files}/memories/slow.md HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nIf-None-Match: *\r\nContent-Length: 10\r\n\r\nhalf `,
    );
    await expect.poll(async () => (await server.ask("/readyz")).status, { timeout: 20_000 }).toBe(200);

    server.signal("SIGTERM");
    // A stream that breaks would reject here.
    expect(await streamed).toContain("id: ");
    await expect(rawSocket(server.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    slow.send("whole");
    expect(await slow.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 201 /);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.log().map(({ msg }) => msg)).toContain("closed");
    expect(server.log().some(({ msg }) => String(msg).includes("cut off"))).toBe(false);
  });

  it("cuts what takes longer than it may", async () => {
    const server = await startServe(emptyStore(), { env: { HANGO_SHUTDOWN_TIMEOUT: "1s" } });
    const slow = await rawSocket(server.url);
    slow.send(
      `PUT /v1/agents/${server.agentId}/files/memories/slow.md HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nContent-Length: 10\r\n\r\nhalf `,
    );
    await server.ask("/readyz");
    expect(await server.end()).toEqual({ code: 0, signal: null });
    expect(server.log()).toContainEqual(expect.objectContaining({ connections: 1 }));
    await slow.ended;
  });
});

describe("a start that can't be", { timeout: SEVERAL_STARTS_MS }, () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, number, string]>([
    ["a variable", [], { HANGO_HEADERS_TIMEOUT: "soon" }, 2, "HANGO_HEADERS_TIMEOUT must be a time such as 30s"],
    [
      "a half of the settings for tokens",
      [],
      { HANGO_JWT_ISSUER: "https://id.example.com" },
      2,
      "HANGO_JWT_ISSUER is set without HANGO_JWT_AUDIENCE and HANGO_JWT_JWKS_URL",
    ],
    ["a port that is none", ["--port", "70000"], {}, 2, "Give a whole number from 0 to 65535."],
    ["a database that is not there", ["--db", "postgres://nobody@127.0.0.1:1/none"], {}, 5, "can't be reached"],
  ])("because of %s ends at once, with what to do", async (_, args, env, code, message) => {
    const ran = await runHango(["serve", "--db", "pglite:", "--port", "0", ...args], { env });
    expect([ran.code, ran.stdout]).toEqual([code, ""]);
    expect(ran.stderr).toContain(message);
  });

  it("because its port is in use ends at once, gives the store back and names the option", async () => {
    const server = await startServe(emptyStore());
    const db = emptyStore();
    const port = new URL(server.url).port;
    const ran = await runHango(["serve", "--db", db, "--port", port]);
    expect([ran.code, ran.stdout]).toEqual([5, ""]);
    expect(ran.stderr).toContain(`hango: Port ${port} of 127.0.0.1 is in use. Stop what uses it, or choose another with --port or PORT.`);
    // The key was made but never shown: the next start must show one.
    expect((await startServe(db)).key).not.toBe("");
  });
});
