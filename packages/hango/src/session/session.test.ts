import { describe, expect, it } from "vitest";
import { defineStorage } from "../contract/define-storage.ts";
import { isHangoError } from "../errors.ts";
import { uuidFor } from "../path/uuid.ts";
import { memoryStorage } from "../storages/memory.ts";
import type { FileEvent, Storage } from "../storage.ts";
import { partsOf } from "./parts.ts";
import { openSession, type SessionOptions } from "./session.ts";

const sessionId = uuidFor("s1");
const open = (options: Partial<SessionOptions> = {}): ReturnType<typeof openSession> => openSession({ storage: memoryStorage(), sessionId, ...options });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
async function codeOf(run: () => Promise<unknown>): Promise<string> {
  return run().then(
    () => "ok",
    (error: unknown) => (isHangoError(error) ? error.code : String(error)),
  );
}

function withoutApply(storage: Storage): Storage {
  const { list, read, write, delete: remove } = storage;
  return defineStorage({ name: "plain", list, read, write, delete: remove });
}

describe("openSession", () => {
  it("needs a session id for an agent and the system, not for an operator", () => {
    for (const actor of [undefined, "agent", "system"] as const)
      expect(() => openSession({ storage: memoryStorage(), ...(actor === undefined ? {} : { actor }) })).toThrow("needs a sessionId");
    expect(openSession({ storage: memoryStorage(), actor: "operator" }).sessionId).toBeUndefined();
  });

  it("lowers the session id and refuses what is not a UUID", () => {
    expect(open({ sessionId: sessionId.toUpperCase() }).sessionId).toBe(sessionId);
    expect(() => open({ sessionId: "s1" })).toThrow("uuidFor");
  });

  it("refuses what it can't honour", () => {
    expect(() => open({ storage: {} as Storage })).toThrow("defineStorage");
    expect(() => open({ actor: "root" as never })).toThrow("agent, operator or system");
    expect(() => open({ tools: ["ls", "rm" as never] })).toThrow('"rm"');
    expect(() => open({ storage: withoutApply(memoryStorage()), tools: ["search"] })).toThrow("has no search");
    expect(() => open({ policy: { reservedWrites: "maybe" as never } })).toThrow("reservedWrites");
    expect(() => open({ limits: { maxFileBytes: 0 } })).toThrow("maxFileBytes");
  });

  it("has search among its tools exactly when the storage has it", () => {
    expect(partsOf(open()).tools).toEqual(["ls", "read_file", "write_file", "edit_file", "glob", "grep", "search"]);
    expect(partsOf(open({ storage: withoutApply(memoryStorage()) })).tools).not.toContain("search");
  });

  it("keeps its parts through a spread", () => {
    const session = open();
    expect(partsOf({ ...session })).toBe(partsOf(session));
    expect(() => partsOf({} as never)).toThrow("openSession");
  });

  it("names the root and the reserved prefixes in its prompt, and no tool that it has not", () => {
    const { prompt } = open({ tools: ["ls", "grep"] });
    for (const name of ["/", "/memories/", "/skills/", "/large_tool_results/", "/conversation_history/", "grep"]) expect(prompt).toContain(name);
    expect(prompt).not.toContain("read_file");
    expect(prompt).not.toContain(sessionId);
  });
});

describe("a session's files", () => {
  it("refuse an edit and a delete of a machine path before they look, so the answer is the same whether the file is there", async () => {
    const storage = memoryStorage();
    await storage.write(`large_tool_results/${sessionId}/there`, bytes("x"));
    const { fs } = open({ storage });
    const answers = async (name: string): Promise<readonly string[]> => {
      const path = `/large_tool_results/${sessionId}/${name}`;
      return [
        await codeOf(() => fs.edit(path, "x", "y")),
        await codeOf(() => fs.write(path, "y")),
        await codeOf(() => fs.delete(path)),
        await codeOf(() => fs.delete(path, { recursive: true })),
      ];
    };
    expect(await answers("there")).toEqual(["forbidden", "forbidden", "forbidden", "forbidden"]);
    expect(await answers("none")).toEqual(await answers("there"));
    expect(await codeOf(() => fs.delete("/large_tool_results", { recursive: true }))).toBe("forbidden");
  });

  for (const [kind, wrap] of [
    ["with apply", (storage: Storage) => storage],
    ["without apply", withoutApply],
  ] as const) {
    it(`delete a tree ${kind} only when all of it may go`, async () => {
      const inner = memoryStorage();
      for (const path of ["docs/a.md", "docs/b.md", "memories/m.md"]) await inner.write(path, bytes("x"));
      const storage = wrap(inner);
      expect(await codeOf(() => open({ storage }).fs.delete("/", { recursive: true }))).toBe("forbidden");
      expect(await inner.list()).toHaveLength(3);
      await open({ storage }).fs.delete("/docs", { recursive: true });
      await open({ storage, actor: "operator" }).fs.delete("/memories", { recursive: true });
      expect(await inner.list()).toEqual([]);
    });
  }

  it('take nothing of a tree when a part of it needs an approval that nobody can give: "Deleted 1 of 2 files below /src, then stopped"', async () => {
    for (const wrap of [(storage: Storage) => storage, withoutApply]) {
      const inner = memoryStorage();
      for (const path of ["src/a.md", "src/keep/b.md"]) await inner.write(path, bytes("x"));
      const policy = { permissions: [{ operations: ["write"], paths: ["/src/keep/"], mode: "ask" }] } as const;
      await expect(open({ storage: wrap(inner), policy }).fs.delete("/src", { recursive: true })).rejects.toMatchObject({
        code: "forbidden",
        message: "/src/keep/b.md can be changed only with a person's approval, and this session has no one to ask.",
      });
      expect(await inner.list()).toHaveLength(2);
    }
  });

  it("look at a tree and delete it by one listing: without apply the whole tree was listed twice, the first time without a bound", async () => {
    for (const wrap of [(storage: Storage) => storage, withoutApply]) {
      const inner = memoryStorage();
      for (const path of ["docs/a.md", "docs/b.md", "memories/m.md"]) await inner.write(path, bytes("x"));
      let listings = 0;
      const { read, write, delete: remove, apply, stat } = wrap(inner);
      const list: Storage["list"] = (options) => ((listings += 1), inner.list(options));
      const { fs } = open({ storage: defineStorage({ name: "counting", list, read, write, delete: remove, apply, stat }) });
      await fs.delete("/docs", { recursive: true });
      expect(listings).toBe(1);
      expect(await codeOf(() => fs.delete("/", { recursive: true }))).toBe("forbidden");
      expect(listings).toBe(2);
      expect(await codeOf(() => fs.delete("/memories", { recursive: true }))).toBe("forbidden");
      expect(listings).toBe(2);
      expect((await inner.list()).map(({ path }) => path)).toEqual(["memories/m.md"]);
    }
  });

  it("say of a directory that it has no version", async () => {
    const storage = memoryStorage();
    await storage.write("docs/a.md", bytes("x"));
    expect(await codeOf(() => open({ storage }).fs.delete("/docs", { recursive: true, ifVersion: "v1" }))).toBe("invalid_argument");
    // Before the guard looks at what is below: a wrong argument is the first thing to say.
    expect(await codeOf(() => open({ storage, actor: "operator" }).fs.delete("/", { recursive: true, ifVersion: "v1" }))).toBe("invalid_argument");
    expect(await storage.list()).toHaveLength(1);
  });

  it('name the directory that is deleted: "/memories/- can\'t be changed", a path that no one asked for', async () => {
    const denied: (string | undefined)[] = [];
    const { list, read, write, delete: remove, apply } = memoryStorage();
    const record = async ({ path, outcome }: FileEvent): Promise<void> => void denied.push(`${outcome} ${path}`);
    const storage = defineStorage({ name: "recording", list, read, write, delete: remove, apply, record });
    const policy = { permissions: [{ operations: ["write"], paths: ["/src/"], mode: "deny" }] } as const;
    await write("src/a.ts", bytes("x"));
    await expect(open({ storage }).fs.delete("/memories", { recursive: true })).rejects.toMatchObject({
      code: "forbidden",
      path: "/memories",
      message: expect.stringMatching(/^\/memories can't be changed by the agent: /) as string,
    });
    expect(await codeOf(() => open({ storage, policy }).fs.delete("/src", { recursive: true }))).toBe("forbidden");
    expect(denied).toEqual(["denied memories", "denied src/a.ts"]);
    expect(await list()).toHaveLength(1);
  });

  it("let the system delete its own history with recursive as without: `forbidden`, and without it ok", async () => {
    for (const wrap of [(storage: Storage) => storage, withoutApply]) {
      const inner = memoryStorage();
      const { fs } = open({ storage: wrap(inner), actor: "system" });
      for (const path of [`conversation_history/${sessionId}.md`, `large_tool_results/${sessionId}/a`]) await inner.write(path, bytes("x"));
      await fs.delete(`/conversation_history/${sessionId}.md`, { recursive: true });
      await fs.delete(`/large_tool_results/${sessionId}`, { recursive: true });
      expect(await inner.list()).toEqual([]);
      expect(await codeOf(() => fs.delete(`/conversation_history/${sessionId}.md`, { recursive: true }))).toBe("not_found");
      for (const other of ["/conversation_history", `/conversation_history/${uuidFor("s2")}.md`, "/docs"])
        expect(await codeOf(() => fs.delete(other, { recursive: true }))).toBe("forbidden");
    }
  });

  it("say the same of a directory that holds nothing the session sees, whoever asks: read said not_a_file, stat and ls not_found", async () => {
    const storage = memoryStorage();
    await storage.write(`conversation_history/${sessionId}.md/x`, bytes("x"));
    await storage.write("src/secret/k", bytes("x"));
    const policy = { permissions: [{ operations: ["read"], paths: ["/src/secret/"], mode: "deny" }] } as const;
    const { fs, storage: guarded } = open({ storage, policy });
    for (const path of [`/conversation_history/${sessionId}.md`, "/src/secret"])
      for (const run of [() => fs.read(path), () => guarded.read(path.slice(1)), () => fs.stat(path), () => fs.ls(path)])
        await expect(run()).rejects.toMatchObject({ code: "not_found", message: `${path} does not exist.` });
  });

  it("do not name a path that may not be read as the one that looks the same", async () => {
    const storage = memoryStorage();
    await storage.write("caf\u00e9", bytes("x"));
    const policy = { permissions: [{ operations: ["read"], paths: ["/caf\u00e9"], mode: "deny" }] } as const;
    const path = "/cafe\u0301";
    const { fs } = open({ storage, policy });
    for (const run of [() => fs.read(path), () => fs.stat(path), () => fs.delete(path)])
      await expect(run()).rejects.toMatchObject({ code: "not_found", message: `${path} does not exist.` });
    await expect(open({ storage }).fs.read(path)).rejects.toMatchObject({ code: "not_found", details: { similarPath: "/caf\u00e9" } });
  });

  it("stop at an abort with the reason given", async () => {
    await expect(open().fs.ls("/", { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(/^stop$/);
  });

  it("take what offload may store, for the system", async () => {
    const limits = { maxFileBytes: 10, maxOffloadBytes: 20 };
    const system = open({ actor: "system", limits });
    expect(await codeOf(() => system.fs.write(`/conversation_history/${sessionId}.md`, "x".repeat(20)))).toBe("ok");
    expect(await codeOf(() => system.fs.write(`/conversation_history/${sessionId}.md`, "x".repeat(21)))).toBe("too_large");
    expect(await codeOf(() => open({ limits }).fs.write("/a.md", "x".repeat(11)))).toBe("too_large");
  });
});

describe("a parent and its subagent", () => {
  it("share a session id: each reads the other's offloads", async () => {
    const storage = memoryStorage();
    const limits = { toolResultTokens: 10 };
    const [parent, child] = [open({ storage, limits }), open({ storage, limits })];
    const result = await child.offload({ isError: false, forModel: "word ".repeat(1_000) }, { toolCallId: "c", toolName: "t" });
    expect((await parent.fs.read(result.forUser ?? "")).lines[0]?.text).toContain("word");
  });
});

describe("options", () => {
  it("are refused when misspelled, policies and limits too: a fence that is not there must not look built", () => {
    const base = { storage: memoryStorage(), sessionId: uuidFor("s") };
    for (const [more, message] of [
      [{ tool: ["ls"] }, 'openSession has no option "tool". It takes storage, sessionId,'],
      [{ limits: { toolResultToken: 1 } }, 'limits has no option "toolResultToken". It takes maxFileBytes,'],
      [{ policy: { permission: [] } }, 'policy has no option "permission". It takes reservedWrites, permissions, approve.'],
    ] as const)
      expect(() => openSession({ ...base, ...more } as Parameters<typeof openSession>[0])).toThrow(message);
  });

  it("bound the principal as every origin: a longer one opened, and each write was then refused", () => {
    const open = (chars: number) => (): unknown => openSession({ storage: memoryStorage(), sessionId: uuidFor("s"), principal: "p".repeat(chars) });
    expect(open(512)).not.toThrow();
    expect(open(513)).toThrow("origin.principal must be text of at most 512 characters.");
  });

  it("say what is missing when a database's root object comes without a namespace", () => {
    const root = { name: "postgres", scope: () => memoryStorage() };
    expect(() => openSession({ storage: root, sessionId: uuidFor("s") } as never)).toThrow("call its scope({ tenantId, agentId }) first");
  });
});
