import { describe, expect, it } from "vitest";
import { untar } from "../../../../test/http/untar.ts";
import { HangoError } from "../errors.ts";
import type { Namespace, ScopedStorage } from "../storage.ts";
import { defineStorage } from "../contract/define-storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import type { AgentRow } from "../tenancy.ts";
import { createFilesApp, type FilesAppOptions } from "./create-files-app.ts";

const tenantId = "11111111-1111-4111-8111-111111111111";
const agent: AgentRow = { tenantId, id: "22222222-2222-4222-8222-222222222222", name: "a", createdBy: "ann", createdAt: new Date(0) };

function optionsWith(storage: ScopedStorage<Namespace>, more: Partial<FilesAppOptions> = {}): FilesAppOptions {
  return {
    authenticate: async () => ({ tenantId, subject: "ann", role: "owner" }),
    agents: {
      find: async (_who, id) => (id === agent.id ? agent : undefined),
      list: async () => [agent],
      sessions: async () => [],
      session: async () => undefined,
    },
    storage,
    ...more,
  };
}

const memory = async (): Promise<ScopedStorage<Namespace>> => {
  const tree = memoryStorage();
  await tree.write("a.md", new Uint8Array([49]));
  return { name: "memory", scope: () => tree };
};

describe("mounted in another server", () => {
  it("takes the raw target that it is handed, and without one the URL, whose dots are resolved before the agent is looked up", async () => {
    const app = createFilesApp(optionsWith(await memory(), { basePath: "/api" }));
    const plain = `/api/v1/agents/${agent.id}/files/a.md`;
    expect((await app.fetch(new Request(`http://host${plain}`))).status).toBe(200);
    expect((await app.fetch(new Request("http://host/x"), { rawTarget: plain })).status).toBe(200);
    const other = `/api/v1/agents/33333333-3333-4333-8333-333333333333/files/../../${agent.id}/files/a.md`;
    // The look-up is for the agent that the path ends at, and this person may see it.
    expect((await app.fetch(new Request(`http://host${other}`))).status).toBe(200);
    expect((await app.fetch(new Request(`http://host${other}`), { incoming: { url: other } })).status).toBe(404);
    const dots = `/api/v1/agents/${agent.id}/files/x/../a.md`;
    expect((await app.fetch(new Request(`http://host${dots}`), { rawTarget: dots })).status).toBe(400);
  });

  it.each([{ basePath: "api" }, { basePath: "/api/" }, { streams: { pollMs: 0 } }, { limits: { maxFileBytes: 0 } }, { streems: {} }] as object[])(
    "refuses %j",
    async (more) => {
      const options = optionsWith(await memory());
      expect(() => createFilesApp({ ...options, ...more })).toThrow(HangoError);
    },
  );
});

describe("an error", () => {
  const failing = (error: unknown): ScopedStorage<Namespace> => ({
    name: "failing",
    scope: () =>
      defineStorage({
        name: "failing",
        list: () => Promise.reject(error),
        read: () => Promise.reject(error),
        write: () => Promise.reject(error),
        delete: () => Promise.reject(error),
        grep: () => Promise.reject(error),
      }),
  });
  const target = `http://host/v1/agents/${agent.id}`;

  it.each([
    [new Error("select * from hango.agent_files at /var/lib/secret"), 500],
    [new HangoError("internal", "A bug in /var/lib/secret.", { cause: new Error("select 1") }), 500],
    [new HangoError("unavailable", "The database did not answer.", { cause: new Error("select 1 at /var/lib/secret") }), 503],
    [new HangoError("timeout", "It took too long.", { details: { sql: "select 1" } }), 504],
  ])("%o says nothing of what is behind it", async (error, status) => {
    const seen: unknown[] = [];
    const app = createFilesApp(optionsWith(failing(error), { onError: (told) => seen.push(told) }));
    const answer = await app.fetch(new Request(`${target}/files/a.md`));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    expect(await answer.text()).not.toMatch(/select|secret|stack/);
    expect(seen.length).toBe(1);
  });

  it("of a share that is full is 429 with the seconds to wait", async () => {
    const busy = new HangoError("unavailable", "Too many searches are running; retry in a moment.", { details: { busy: "search" } });
    const answer = await createFilesApp(optionsWith(failing(busy))).fetch(new Request(`${target}/grep?pattern=x`));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1"]);
  });

  it("of the host's own sign-in gives nobody any rights", async () => {
    for (const principal of [
      { tenantId, subject: "ann", role: "root" },
      { tenantId: "x", subject: "ann", role: "owner" },
      { tenantId, subject: "", role: "owner" },
    ]) {
      const app = createFilesApp(optionsWith(await memory(), { authenticate: async () => principal as never }));
      expect((await app.fetch(new Request(`${target}/files/a.md`))).status).toBe(500);
    }
    for (const wrong of ["tenantId", "id"] as const) {
      const foreign = { ...agent, [wrong]: "99999999-9999-4999-8999-999999999999" };
      const agents = { ...optionsWith(await memory()).agents, find: async () => foreign };
      expect((await createFilesApp(optionsWith(await memory(), { agents })).fetch(new Request(`${target}/files/a.md`))).status).toBe(404);
    }
  });

  it("that is no Error is answered too, and that of a reader who left is nobody's fault: the text of the abort came out of fetch as a rejection", async () => {
    const seen: unknown[] = [];
    const left = new AbortController();
    const agents: FilesAppOptions["agents"] = {
      ...optionsWith(await memory()).agents,
      find: async () => {
        left.abort("Client connection prematurely closed.");
        return agent;
      },
    };
    const app = createFilesApp(optionsWith(await memory(), { agents, onError: (told) => seen.push(told) }));
    expect((await app.fetch(new Request(`${target}/grep?pattern=x`, { signal: left.signal }))).status).toBe(500);
    expect(seen).toEqual([]);
    const odd = createFilesApp(optionsWith(await memory(), { authenticate: () => Promise.reject("no error"), onError: (told) => seen.push(told) }));
    expect((await odd.fetch(new Request(target))).status).toBe(500);
    expect(seen).toEqual(["no error"]);
  });
});

it("names its cookie a sign-in, and over TLS by a name that no other host can plant: it was hango_session, where session_id is a run", async () => {
  const signed = { token: "t", expiresAt: new Date(Date.now() + 60_000), principal: { tenantId, subject: "ann", role: "owner" as const } };
  const signIn = { create: async () => signed, find: async (token: string) => (token === "t" ? signed.principal : undefined), end: async () => undefined };
  const authenticate = async (): Promise<undefined> => undefined;
  for (const [url, secureCookie, name] of [
    ["http://host", undefined, "hango_sign_in"],
    ["https://host", undefined, "__Host-hango_sign_in"],
    ["http://host", true, "__Host-hango_sign_in"],
    ["https://host", false, "hango_sign_in"],
  ] as const) {
    const app = createFilesApp(optionsWith(await memory(), { authenticate, signIn, ...(secureCookie === undefined ? {} : { secureCookie }) }));
    const answer = await app.fetch(
      new Request(`${url}/v1/sign-in`, { method: "POST", body: '{"key":"k"}', headers: { "content-type": "application/json", origin: url, host: "host" } }),
    );
    const given = answer.headers.get("set-cookie") ?? "";
    expect([given.split("=")[0], given.endsWith("; Secure")]).toEqual([name, name.startsWith("__Host-")]);
    const me = async (cookie: string): Promise<number> => (await app.fetch(new Request(`${url}/v1/me`, { headers: { cookie } }))).status;
    const other = name === "hango_sign_in" ? "__Host-hango_sign_in" : "hango_sign_in";
    expect([await me(`a=b; ${name}=t`), await me(`${other}=t`)]).toEqual([200, 401]);
  }
});

it.each(["", "/api"])(
  "an address that is none, below %j, points to the document of all; a sign-in that is no JSON says the body: neither did",
  async (basePath) => {
    const signIn = { create: async () => undefined, find: async () => undefined, end: async () => undefined };
    const app = createFilesApp(optionsWith(await memory(), { basePath, signIn }));
    const answer = await app.fetch(new Request(`http://host${basePath}/`));
    expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
      404,
      `There is nothing at this address. ${basePath}/openapi.json describes every address.`,
    ]);
    expect((await app.fetch(new Request(`http://host${basePath}/openapi.json`))).status).toBe(200);
    const refused = await app.fetch(new Request(`http://host${basePath}/v1/sign-in`, { method: "POST", body: "key=x" }));
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([415, 'Send the key as application/json: {"key": "hango_…"}.']);
  },
);

it("an archive goes on where a listed file became a directory: it broke off there", async () => {
  const tree = memoryStorage();
  for (const path of ["a.md", "b", "c.md"]) await tree.write(path, new Uint8Array([49]));
  const changing = defineStorage({
    ...tree,
    read: async (path, options) => {
      if (path === "b") {
        await tree.delete("b");
        await tree.write("b/below.md", new Uint8Array([50]));
      }
      return tree.read(path, options);
    },
  });
  const app = createFilesApp(optionsWith({ name: "memory", scope: () => changing }));
  const archive = new Uint8Array(await (await app.fetch(new Request(`http://host/v1/agents/${agent.id}/tree.tar`))).arrayBuffer());
  expect(untar(archive).map(({ name }) => name)).toEqual(["a.md", "c.md"]);
});

it("a page of agents looks their use up one after the other: a hundred at once took every connection", async () => {
  let [open, most] = [0, 0];
  const rows = Array.from({ length: 20 }, (_, index) => ({ ...agent, id: `22222222-2222-4222-8222-2222222222${index + 10}` }));
  const usage: FilesAppOptions["usage"] = async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return { files: 1, bytes: 1 };
  };
  const options = optionsWith(await memory(), { usage });
  const app = createFilesApp({ ...options, agents: { ...options.agents, list: async () => rows } });
  const { agents } = (await (await app.fetch(new Request("http://host/v1/agents?usage=true"))).json()) as { agents: unknown[] };
  expect([agents.length, most]).toEqual([20, 1]);
});

it("the OpenAPI document names the place it is mounted at, bodies, headers and both ways to sign in: none of these were in it", async () => {
  const signIn = { create: async () => undefined, find: async () => undefined, end: async () => undefined };
  const app = createFilesApp(optionsWith(await memory(), { basePath: "/api", signIn }));
  const document = (await (await app.fetch(new Request("http://host/api/openapi.json"))).json()) as {
    servers: unknown;
    components: { securitySchemes: object };
    paths: Record<string, Record<string, { parameters: { name: string; in: string }[]; requestBody?: unknown; security?: unknown }>>;
  };
  expect(document.servers).toEqual([{ url: "/api" }]);
  expect(Object.keys(document.components.securitySchemes)).toEqual(["key", "cookie"]);
  const put = document.paths["/v1/agents/{id}/files/{path}"]?.["put"];
  expect(put?.parameters.filter((part) => part.in === "header").map(({ name }) => name)).toEqual(["If-Match", "If-None-Match"]);
  expect([put?.requestBody !== undefined, put?.security]).toEqual([true, [{ key: [] }, { cookie: [] }]]);
  expect(document.paths["/v1/sign-in"]?.["post"]?.requestBody).toBeDefined();
});
