/** Public bug reports about file APIs, each as a test on a real server over Postgres. The source of each is named. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Storage } from "hango";
import { rawRequest } from "./raw-client.ts";
import { openServer, type Server, type Team } from "./server.ts";
import { bytesOf, filesUrl } from "./world.ts";

const opened = openServer();
let server: Server;
let team: Team;
let files: Storage;
beforeAll(async () => {
  server = opened();
  team = await server.team("one");
  files = server.files(team.agent);
});

const url = (path: string): string => filesUrl(team.agent, path);
const raw = (tail: string): string => `/v1/agents/${team.agent.id}/files/${tail}`;
const put = (path: string, body: string, headers: Record<string, string> = {}, key: string = team.keys.owner): Promise<Response> =>
  server.call(key, url(path), { method: "PUT", body, headers });
const get = (path: string): Promise<Response> => server.call(team.keys.member, url(path));
const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;
const lastRow = async (): Promise<unknown> => {
  const [row] = await server.tenancy.audit.list(team.tenantId, { limit: 1 });
  return row === undefined ? undefined : [row.outcome, row.action, row.path, row.principal];
};

describe("http/encoding (paperclipai/paperclip#4704)", () => {
  it.each(["%E0%A4%A", "%", "%zz", "%c0%ae%c0%ae", "%ed%a0%80"])("%s is 400, never 500", async (tail) => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await rawRequest(server.world.port, { method, target: raw(tail), headers: [`Authorization: Bearer ${team.keys.owner}`] });
      expect([method, answer.status]).toEqual([method, 400]);
    }
  });
});

describe("http/reserved-encoded (isaacs/st#104, yhirose/cpp-httplib#2529)", () => {
  it.each(["memories%2FAGENTS.md", "/memories/x", "./memories/x", "Memories/x", "memories/../memories/x"])(
    "PUT %s changes nothing and is on record",
    async (tail) => {
      for (const key of [team.keys.member, team.keys.owner]) {
        const before = (await files.list()).length;
        const target = raw(tail);
        const answer = await rawRequest(server.world.port, { method: "PUT", target, headers: [`Authorization: Bearer ${key}`], body: "x" });
        expect([400, 403]).toContain(answer.status);
        expect((await files.list()).length).toBe(before);
        expect((await lastRow()) as unknown[]).toEqual(["denied", "file.write", expect.any(String), key === team.keys.owner ? "owner" : "member"]);
      }
    },
  );

  it("/memoriesX/a is not reserved, and so not a person's to change", async () => {
    expect((await put("/memoriesX/a", "x")).status).toBe(403);
    expect(await lastRow()).toEqual(["denied", "file.write", "/memoriesX/a", "owner"]);
    expect((await server.call(team.keys.owner, url("/memoriesX/a"), { method: "DELETE", headers: { "if-match": '"x"' } })).status).toBe(403);
  });
});

describe("spec A: who may correct a memory", () => {
  it("the owner's PUT to /memories/AGENTS.md succeeds, a member's is 403, and both are on record", async () => {
    expect((await put("/memories/AGENTS.md", "x", {}, team.keys.member)).status).toBe(403);
    expect(await lastRow()).toEqual(["denied", "file.write", "/memories/AGENTS.md", "member"]);
    expect(await files.stat("memories/AGENTS.md")).toBeUndefined();
    expect((await put("/memories/AGENTS.md", "be kind")).status).toBe(201);
    expect(await lastRow()).toEqual(["ok", "file.write", "/memories/AGENTS.md", "owner"]);
    expect(await (await get("/memories/AGENTS.md")).text()).toBe("be kind");
  });
});

describe("http/special-names (GenesysGo/shadow-drive#97, code-dot-org/code-dot-org#18270)", () => {
  it("every listed name is read back by its encoded segments", async () => {
    const names = [
      "Test File #2?&+%20.md",
      "__proto__",
      "toString/hasOwnProperty",
      "Program Files (x86)/r+1/$a^.md",
      "50%_x/n.md",
      "e\u0301.md",
      "é.md",
      "a..b",
      "[...x]",
    ];
    for (const name of names) await files.write(`names/${name}`, bytesOf(`ok ${name}`));
    const { entries } = await json<{ entries: { path: string }[] }>(
      server.call(team.keys.member, `/v1/agents/${team.agent.id}/files?recursive=true&path=/names`),
    );
    expect(entries.length).toBe(names.length);
    for (const { path } of entries) expect(await (await get(path)).text()).toBe(`ok ${path.slice("/names/".length)}`);
  });
});

describe("http/idor (infiniflow/ragflow#15456, tanviet12/chat-quality-agent#22)", () => {
  it("a foreign, an unknown, an invisible and a malformed agent answer byte for byte alike, whatever the path", async () => {
    const foreign = await server.team("two");
    await server.files(foreign.agent).write("secret.txt", bytesOf("TOPSECRET"));
    const invisible = await server.tenancy.createAgent(team.tenantId, { name: "not yours", createdBy: "owner" });
    const answers = new Set<string>();
    for (const id of [foreign.agent.id, randomUUID(), invisible.id, "nonsense", "%zz"]) {
      for (const tail of ["secret.txt", "..", "%zz", "memories/x", ""]) {
        for (const method of ["GET", "PUT", "DELETE"]) {
          const answer = await rawRequest(server.world.port, {
            method,
            target: `/v1/agents/${id}/files/${tail}`,
            headers: [`Authorization: Bearer ${team.keys.member}`],
          });
          answers.add(`${answer.head.replace(/^date:.*$/im, "")}\n${answer.body}`);
        }
      }
      for (const rest of ["", "/files", "/grep?pattern=x", "/glob?pattern=x", "/events", "/sessions", "/tree.tar"]) {
        answers.add(await server.call(team.keys.member, `/v1/agents/${id}${rest}`).then(async (answer) => `${answer.status} ${await answer.text()}`));
      }
    }
    // One as raw text, one as fetch gives it.
    expect([...answers].filter((answer) => !/not yours to see/.test(answer) || /TOPSECRET/.test(answer))).toEqual([]);
    expect(answers.size).toBe(2);
  });
});

describe("http/xss (twentyhq/twenty#18857, open-webui/open-webui#24372)", () => {
  it.each([
    ["x.html", "<script>alert(1)</script>"],
    ["x.svg", "<svg onload=alert(1)>"],
  ])("%s never runs", async (name, text) => {
    await files.write(name, bytesOf(text));
    const answer = await get(`/${name}`);
    expect([answer.status, answer.headers.get("x-content-type-options")]).toEqual([200, "nosniff"]);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });
});

describe("http/etag (ClickHouse/ClickHouse#112587)", () => {
  it("two writes of the same length within a millisecond have two ETags, and the first one is stale", async () => {
    const first = (await put("/memories/v.txt", "bbbb")).headers.get("etag") ?? "";
    const second = (await put("/memories/v.txt", "cccc", { "if-match": first })).headers.get("etag") ?? "";
    expect(second).not.toBe(first);
    expect((await put("/memories/v.txt", "dddd", { "if-match": first })).status).toBe(412);
    const both = await Promise.all(["eeee", "ffff"].map((body) => put("/memories/v.txt", body, { "if-match": second })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });
});

describe("concurrency/deleted (paulcwarren/spring-content#1795)", () => {
  it("an If-Match PUT after someone's DELETE is 412 and creates nothing", async () => {
    const etag = (await put("/memories/gone.txt", "x")).headers.get("etag") ?? "";
    expect((await server.call(team.keys.admin, url("/memories/gone.txt"), { method: "DELETE", headers: { "if-match": etag } })).status).toBe(204);
    expect((await put("/memories/gone.txt", "A", { "if-match": etag })).status).toBe(412);
    expect((await get("/memories/gone.txt")).status).toBe(404);
  });
});

describe("tenancy/like (langchain-ai/langgraph#8300) and tenancy/prune (NousResearch/hermes-agent#78927)", () => {
  it("a listing takes _ and % as they are", async () => {
    await files.write("users/john_doe/m.md", bytesOf("A"));
    await files.write("users/john-doe/m.md", bytesOf("B"));
    const list = `/v1/agents/${team.agent.id}/files?path=`;
    expect((await json<{ entries: { path: string }[] }>(server.call(team.keys.member, `${list}/users/john_doe`))).entries.map(({ path }) => path)).toEqual([
      "/users/john_doe/m.md",
    ]);
    for (const path of ["/%25", "/_", "/users/john%25"]) expect([path, (await server.call(team.keys.member, list + path)).status]).toEqual([path, 404]);
  });

  it("a DELETE takes one file, never what looks like it or stands below it", async () => {
    for (const name of ["my_project/a", "myXproject/b", "my_project.bak"]) await files.write(`skills/${name}`, bytesOf("x"));
    expect((await server.call(team.keys.owner, url("/skills/my_project"), { method: "DELETE", headers: { "if-match": "*" } })).status).toBe(412);
    expect((await files.list({ prefix: "skills" })).map(({ path }) => path)).toEqual(
      ["skills/my_project.bak", "skills/my_project/a", "skills/myXproject/b"].toSorted(),
    );
  });
});

describe("tenancy/segment (langchain-ai/langgraphjs#2721, langchain-ai/langgraph#8478)", () => {
  it("one session never sees what another's machine files hold, by list, read, glob, grep or tar", async () => {
    const [one, two] = [await newSession("s1"), await newSession("s10")];
    for (const id of [one, two]) {
      await files.write(`large_tool_results/${id}/c`, bytesOf(`words of ${id}`));
      await files.write(`conversation_history/${id}.md`, bytesOf(`words of ${id}`));
    }
    const agent = `/v1/agents/${team.agent.id}`;
    for (const [own, other] of [
      [one, two],
      [two, one],
    ] as const) {
      for (const rest of ["files?recursive=true&", "files?path=/large_tool_results&", "glob?pattern=**&", "grep?pattern=words&", "tree.tar?", "events?"]) {
        const text = await (await server.call(team.keys.owner, `${agent}/${rest}session_id=${own}`)).text();
        expect([rest, text.includes(other)]).toEqual([rest, false]);
        if (!rest.startsWith("events")) expect([rest, text.includes(own)]).toEqual([rest, true]);
      }
      expect((await server.call(team.keys.owner, `${url(`/large_tool_results/${other}/c`)}?session_id=${own}`)).status).toBe(404);
      expect((await server.call(team.keys.owner, `${url(`/large_tool_results/${own}/c`)}?session_id=${own}`)).status).toBe(200);
    }
    expect((await server.call(team.keys.owner, `${agent}/files?session_id=`)).status).toBe(404);
    const unseen = await (await server.call(team.keys.owner, `${agent}/files?recursive=true`)).text();
    expect(unseen).not.toContain("large_tool_results");
  });

  async function newSession(name: string): Promise<string> {
    const { tenantId, id: agentId } = team.agent;
    return (await server.tenancy.createSession({ tenantId, agentId }, { name, createdBy: "member" })).id;
  }
});
