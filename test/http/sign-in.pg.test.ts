/** Signing in with a key, changing by cookie, and the stream of events, on Postgres. */
import { beforeAll, expect, it } from "vitest";
import { openServer, type Server, type Team } from "./server.ts";
import { bytesOf, filesUrl } from "./world.ts";

const opened = openServer();
let server: Server;
let team: Team;
beforeAll(async () => {
  server = opened();
  team = await server.team("one");
});

async function signIn(key: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.world.url}/v1/sign-in`, {
    method: "POST",
    body: JSON.stringify({ key }),
    headers: { "content-type": "application/json", ...headers },
  });
}

const cookieOf = (answer: Response): string => (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

it("trades a key for a cookie that no script reads, changes only from the own page, and ends with sign-out", async () => {
  const answer = await signIn(team.keys.owner);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("set-cookie")).toMatch(/^hango_sign_in=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
  const cookie = cookieOf(answer);
  const me = await fetch(`${server.world.url}/v1/me`, { headers: { cookie } });
  expect(await me.json()).toEqual({ tenantId: team.tenantId, subject: "owner", role: "owner" });
  const put = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${server.world.url}${filesUrl(team.agent, "/memories/by-cookie.md")}`, { method: "PUT", body: "x", headers: { cookie, ...headers } });
  expect((await put({})).status).toBe(403);
  expect((await put({ origin: "https://evil.example" })).status).toBe(403);
  const [row] = await server.tenancy.audit.list(team.tenantId, { limit: 1 });
  expect([row?.outcome, row?.path, row?.principal]).toEqual(["denied", "/memories/by-cookie.md", "owner"]);
  expect((await put({ origin: server.world.url })).status).toBe(201);
  expect((await fetch(`${server.world.url}/v1/sign-in`, { method: "DELETE", headers: { cookie, origin: server.world.url } })).status).toBe(204);
  expect((await fetch(`${server.world.url}/v1/me`, { headers: { cookie } })).status).toBe(401);
});

it("refuses a wrong key, another site's form, and a body that is none", async () => {
  expect((await signIn("hango_wrong")).status).toBe(401);
  expect((await signIn(team.keys.owner, { origin: "https://evil.example" })).status).toBe(403);
  expect((await signIn(team.keys.owner, { "content-type": "text/plain" })).status).toBe(415);
  expect((await signIn("k".repeat(5_000))).status).toBe(413);
  expect((await fetch(`${server.world.url}/v1/sign-in`, { method: "POST", body: "{", headers: { "content-type": "application/json" } })).status).toBe(400);
});

it("ends the cookie and the stream of a key that is revoked", async () => {
  const { id, key } = await server.tenancy.createKey(team.tenantId, { subject: "short", role: "admin" });
  const cookie = cookieOf(await signIn(key));
  const stream = await fetch(`${server.world.url}/v1/agents/${team.agent.id}/events`, { headers: { cookie, accept: "text/event-stream" } });
  expect(stream.status).toBe(200);
  await server.files(team.agent).write("seen.md", bytesOf("x"), { origin: { actor: "agent", tool: "write_file", toolCallId: "c1" } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("seen.md")) text += (await reader?.read())?.value ?? "";
  expect(text).toContain('"tool":"write_file","toolCallId":"c1"');
  await server.tenancy.revokeKey(team.tenantId, id);
  expect((await fetch(`${server.world.url}/v1/me`, { headers: { cookie } })).status).toBe(401);
  for (let done = false; !done;) done = (await reader?.read())?.done ?? true;
});
