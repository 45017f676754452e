import { describe, expect, it } from "vitest";
import { defineStorage } from "../contract/define-storage.ts";
import { isHangoError } from "../errors.ts";
import { uuidFor } from "../path/uuid.ts";
import { memoryStorage } from "../storages/memory.ts";
import type { Storage } from "../storage.ts";
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
    const result = await child.offload({ isError: false, forModel: "word ".repeat(100) }, { toolCallId: "c", toolName: "t" });
    expect((await parent.fs.read(result.forUser ?? "")).lines[0]?.text).toContain("word");
  });
});
