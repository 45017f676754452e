import { describe, expect, it } from "vitest";
import { defineStorage } from "../contract/define-storage.ts";
import { HangoError } from "../errors.ts";
import { uuidFor } from "../path/uuid.ts";
import { openSession, type SessionOptions } from "../session/session.ts";
import type { SeenStore, Session, ToolName, ToolResult } from "../session/vocabulary.ts";
import { memoryStorage } from "../storages/memory.ts";
import type { Origin, Storage } from "../storage.ts";
import { fileTools } from "./file-tools.ts";

const names: readonly ToolName[] = ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete_file"];

interface World {
  readonly storage: Storage;
  readonly session: Session;
  readonly run: (tool: ToolName, args: object, call?: object) => Promise<ToolResult & { readonly text: string }>;
  readonly put: (path: string, content: string) => Promise<void>;
  readonly get: (path: string) => Promise<string>;
}

function world(options: Partial<SessionOptions> = {}): World {
  const storage = options.storage ?? memoryStorage();
  const session = openSession({ storage, sessionId: uuidFor("s1"), tools: names, ...options });
  const tools = new Map(fileTools(session).map((tool) => [tool.name, tool]));
  return {
    storage,
    session,
    run: async (name, args, call = {}) => {
      const result = (await tools.get(name)?.execute(args, { toolCallId: "1", ...call })) as ToolResult;
      return { ...result, text: String(result.forModel) };
    },
    put: async (path, content) => {
      await storage.write(path, new TextEncoder().encode(content));
    },
    get: async (path) => new TextDecoder().decode((await storage.read(path)).bytes),
  };
}

describe("write_file", () => {
  it("creates a file, and then knows it", async () => {
    const { run, get } = world();
    expect((await run("write_file", { path: "/a/b.md", content: "one\n" })).text).toBe("Wrote /a/b.md: 4 bytes, 1 line.");
    expect((await run("write_file", { path: "/a//b.md", content: "two\n" })).isError).toBe(false);
    expect(await get("a/b.md")).toBe("two\n");
  });

  it("refuses a file it has never read: read it first", async () => {
    const { run, put, get } = world();
    await put("a.md", "kept");
    const refused = await run("write_file", { path: "/a.md", content: "x" });
    expect(refused).toMatchObject({ isError: true, code: "already_exists" });
    expect(refused.text).toContain("/a.md exists; read it first");
    expect(await get("a.md")).toBe("kept");
    await run("read_file", { path: "/a.md", limit: 1 });
    expect((await run("write_file", { path: "/a.md", content: "x" })).isError).toBe(false);
  });

  it("answers a stale version with what changed since it was read", async () => {
    const { run, put, get } = world();
    await put("a.md", "one\ntwo\nthree\n");
    await run("read_file", { path: "/a.md" });
    await put("a.md", "one\n2\nthree\n");
    const stale = await run("write_file", { path: "/a.md", content: "x" });
    expect(stale).toMatchObject({ isError: true, code: "conflict" });
    expect(stale.text).toContain("the file changed since you read it; re-read and retry");
    expect(stale.text).toContain("-two\n+2");
    expect(await get("a.md")).toBe("one\n2\nthree\n");
    expect((await run("write_file", { path: "/a.md", content: "x" })).code).toBe("conflict");
  });

  it("has no diff when only a part was shown, or the file is too large to keep", async () => {
    const { run, put } = world();
    await put("a.md", "one\ntwo\n");
    await run("read_file", { path: "/a.md", limit: 1 });
    await put("a.md", "three\n");
    expect((await run("write_file", { path: "/a.md", content: "x" })).text).not.toContain("What changed");
    await put("big.md", `${"x".repeat(79)}\n`.repeat(64 * 13));
    await run("read_file", { path: "/big.md" });
    await put("big.md", "small");
    expect((await run("write_file", { path: "/big.md", content: "x" })).text).not.toContain("What changed");
  });

  it("shows no line ends in a diff that read_file does not show", async () => {
    const { run, put } = world();
    await put("a.md", "one\r\ntwo\r\n");
    await run("read_file", { path: "/a.md" });
    await put("a.md", "one\r\n2\r\n");
    expect((await run("write_file", { path: "/a.md", content: "x" })).text).toContain(" one\n-two\n+2\n");
  });

  it("answers a file that was read and is gone with a conflict; after a read that finds nothing it creates", async () => {
    const { run, put, storage } = world();
    await put("a.md", "x");
    await run("read_file", { path: "/a.md" });
    await storage.delete("a.md");
    expect((await run("write_file", { path: "/a.md", content: "y" })).code).toBe("conflict");
    expect((await run("edit_file", { path: "/a.md", old_string: "x", new_string: "y" })).code).toBe("conflict");
    expect((await run("read_file", { path: "/a.md" })).code).toBe("not_found");
    expect((await run("write_file", { path: "/a.md", content: "y" })).isError).toBe(false);
  });

  it("refuses what no storage may hold, before it writes", async () => {
    const { run, storage } = world();
    for (const content of ["a\0b", "a\ud83d b"]) expect((await run("write_file", { path: "/n.txt", content })).code).toBe("invalid_content");
    expect((await run("write_file", { path: "/big", content: "€".repeat(349_526) })).code).toBe("too_large");
    expect(await storage.list()).toEqual([]);
    expect((await run("write_file", { path: "/big", content: "€".repeat(349_525) })).isError).toBe(false);
  });

  it("keeps what was seen in the store it is given, so another request goes on from there", async () => {
    const kept = new Map<string, string>();
    const seen: SeenStore = {
      get: async (path) => kept.get(path),
      set: async (path, version) => {
        kept.set(path, version);
      },
      delete: async (path) => {
        kept.delete(path);
      },
    };
    const first = world({ seen });
    await first.put("a.md", "x");
    await first.run("read_file", { path: "/./a.md" });
    const second = world({ seen, storage: first.storage });
    expect((await second.run("write_file", { path: "/a.md", content: "y" })).isError).toBe(false);
  });
});

describe("edit_file", () => {
  it("tells the count on its first line, and a short diff", async () => {
    const { run, put, get } = world();
    await put("Makefile", "a: a\n\techo a\n");
    const edited = await run("edit_file", { path: "/Makefile", old_string: "a", new_string: "$$", replace_all: true });
    expect(edited.text.split("\n")[0]).toBe("Replaced 3 occurrences in /Makefile, now 16 bytes.");
    expect(edited.text).toContain("+$$: $$");
    expect(await get("Makefile")).toBe("$$: $$\n\techo $$\n");
  });

  it("needs no read before, but is stale after another's change", async () => {
    const { run, put } = world();
    await put("a.md", "one two");
    expect((await run("edit_file", { path: "/a.md", old_string: "one", new_string: "1" })).isError).toBe(false);
    expect((await run("edit_file", { path: "/a.md", old_string: "two", new_string: "2" })).isError).toBe(false);
    await put("a.md", "1 2 3");
    const stale = await run("edit_file", { path: "/a.md", old_string: "3", new_string: "three" });
    expect(stale).toMatchObject({ isError: true, code: "conflict" });
    await run("read_file", { path: "/a.md" });
    expect((await run("edit_file", { path: "/a.md", old_string: "3", new_string: "three" })).isError).toBe(false);
  });

  it("a child's edit makes the parent's next write a conflict", async () => {
    const parent = world();
    await parent.put("a.md", "one");
    await parent.run("read_file", { path: "/a.md" });
    await world({ storage: parent.storage }).run("edit_file", { path: "/a.md", old_string: "one", new_string: "two" });
    const stale = await parent.run("write_file", { path: "/a.md", content: "x" });
    expect(stale.code).toBe("conflict");
    expect(stale.text).toContain("+two");
  });

  it("answers an ambiguous match with the count and leaves the file", async () => {
    const { run, put, get } = world();
    await put("a.txt", "aaa");
    const refused = await run("edit_file", { path: "/a.txt", old_string: "aa", new_string: "b" });
    expect(refused).toMatchObject({ isError: true, code: "ambiguous_match" });
    expect(refused.text).toContain("2");
    expect(await get("a.txt")).toBe("aaa");
    expect((await run("edit_file", { path: "/a.txt", old_string: "", new_string: "b" })).text).toMatch(/old_string.*empty/s);
  });

  it("is forbidden on a machine path, whether it is there or not", async () => {
    const { run, put } = world();
    const own = `large_tool_results/${uuidFor("s1")}`;
    await put(`${own}/there`, "x");
    for (const name of ["there", "none"])
      expect((await run("edit_file", { path: `/${own}/${name}`, old_string: "x", new_string: "y" })).code).toBe("forbidden");
  });
});

describe("delete_file", () => {
  it("deletes a file, not one that changed since it was read", async () => {
    const { run, put, storage } = world();
    await put("a.md", "x");
    await run("read_file", { path: "/a.md" });
    await put("a.md", "y");
    expect((await run("delete_file", { path: "/a.md" })).code).toBe("conflict");
    expect((await run("delete_file", { path: "/a.md", recursive: true })).code).toBe("conflict");
    await run("read_file", { path: "/a.md" });
    expect((await run("delete_file", { path: "/a.md" })).text).toBe("Deleted /a.md.");
    expect(await storage.list()).toEqual([]);
    expect((await run("delete_file", { path: "/a.md" })).code).toBe("not_found");
  });

  it("deletes a directory only with recursive, and forgets what was below", async () => {
    const { run, put, storage } = world();
    await put("my_project/a", "x");
    await put("my_project/b/c", "x");
    await put("my_project.bak", "x");
    await run("read_file", { path: "/my_project/a" });
    expect((await run("delete_file", { path: "/my_project" })).code).toBe("not_a_file");
    expect((await run("delete_file", { path: "/my_project", recursive: true })).text).toBe("Deleted /my_project with 2 files below it.");
    expect((await storage.list()).map(({ path }) => path)).toEqual(["my_project.bak"]);
    expect((await run("write_file", { path: "/my_project/a", content: "new" })).isError).toBe(false);
  });
});

describe("a batch", () => {
  const edit = (old_string: string, path = "/r.txt"): object => ({ path, old_string, new_string: old_string.toUpperCase() });

  it('takes the first change of a path in call order and refuses the second under any spelling: "only the last edited file survives"', async () => {
    const { run, put, get } = world();
    await put("r.txt", "a\nb\n");
    const results = await Promise.all([
      run("edit_file", edit("a"), { batchId: "b1" }),
      run("edit_file", edit("b", "/./r.txt"), { batchId: "b1" }),
      run("write_file", { path: "//r.txt", content: "Z" }, { batchId: "b1" }),
      run("delete_file", { path: "/r.txt/" }, { batchId: "b1" }),
      run("write_file", { path: "/s.txt", content: "S" }, { batchId: "b1" }),
    ]);
    expect(results.map(({ code, isError }) => code ?? !isError)).toEqual([true, "duplicate_mutation", "duplicate_mutation", "duplicate_mutation", true]);
    expect(await get("r.txt")).toBe("A\nb\n");
    expect((await run("edit_file", edit("b"), { batchId: "b1" })).code).toBe("duplicate_mutation");
    expect((await run("edit_file", edit("b"), { batchId: "b2" })).isError).toBe(false);
  });

  it("gives the path back when the first change fails", async () => {
    const { run, put } = world();
    await put("r.txt", "a\n");
    expect((await run("edit_file", edit("zzz"), { batchId: "b1" })).code).toBe("no_match");
    expect((await run("edit_file", edit("a"), { batchId: "b1" })).isError).toBe(false);
  });

  it("without an id is what is in flight together", async () => {
    const { run, put } = world();
    await put("r.txt", "a\nb\n");
    const together = await Promise.all([run("edit_file", edit("a")), run("edit_file", edit("b"))]);
    expect(together.map(({ code }) => code)).toEqual([undefined, "duplicate_mutation"]);
    expect((await run("edit_file", edit("b"))).isError).toBe(false);
  });

  it("does not limit reads", async () => {
    const { run, put } = world();
    await put("r.txt", "a");
    expect((await Promise.all([1, 2, 3].map(() => run("read_file", { path: "/r.txt" }, { batchId: "b1" })))).every(({ isError }) => !isError)).toBe(true);
  });

  it("is one for all tools made of a session", async () => {
    const { session, put } = world();
    await put("r.txt", "a\nb\n");
    const [one, two] = [1, 2].map(() => fileTools(session).find(({ name }) => name === "edit_file"));
    expect((await one?.execute(edit("a"), { toolCallId: "1", batchId: "b1" }))?.isError).toBe(false);
    expect((await two?.execute(edit("b"), { toolCallId: "2", batchId: "b1" }))?.code).toBe("duplicate_mutation");
  });
});

describe("every tool", () => {
  it("answers arguments that are wrong with the parameter's name, and never throws", async () => {
    const { run } = world();
    for (const name of names)
      for (const args of [null, "x", [], { path: 1 }, { path: "/a", nonsense: true }])
        expect([name, (await run(name, args as object)).isError || args === null]).toEqual([name, true]);
    expect((await run("read_file", {})).text).toBe("Error (invalid_argument): read_file: path is missing. Correct the argument and call again.");
  });

  it("says nothing of a foreign error", async () => {
    const { read, write, delete: remove } = memoryStorage();
    const { run } = world({
      storage: defineStorage({
        name: "broken",
        list: () => Promise.reject(new Error("relation hango.agent_files")),
        read,
        write,
        delete: remove,
        lines: () => Promise.reject(new Error("EIO /host/path")),
      }),
    });
    for (const answer of [await run("ls", {}), await run("read_file", { path: "/a" }), await run("glob", { pattern: "*" })]) {
      expect(answer.isError).toBe(true);
      expect(JSON.stringify(answer)).not.toMatch(/agent_files|\/host\/path/);
    }
  });

  it("answers `internal` for a fault that is not an error of the file system", async () => {
    const { run } = world();
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new TypeError("x is not a function");
        },
      },
    );
    expect(await run("write_file", trap)).toMatchObject({ isError: true, code: "internal" });
  });

  it('hints at nothing that the message contradicts: "its outcome is unknown. Re-read before you retry. … retry in a moment"', async () => {
    const { list, read, delete: remove } = memoryStorage();
    const unknown = new HangoError("unavailable", "Its outcome is unknown. Re-read before you retry.");
    const { run } = world({ storage: defineStorage({ name: "flaky", list, read, delete: remove, write: () => Promise.reject(unknown) }) });
    expect((await run("write_file", { path: "/a", content: "x" })).text).toBe("Error (unavailable): Its outcome is unknown. Re-read before you retry.");
  });

  it("rethrows the reason of an abort", async () => {
    const { run } = world();
    for (const name of names) await expect(run(name, { path: "/a" }, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(/^stop$/);
  });

  it("tells the record who called", async () => {
    const origins: (Origin | undefined)[] = [];
    const inner = memoryStorage();
    const { list, read, delete: remove } = inner;
    const storage = defineStorage({
      name: "noting",
      list,
      read,
      delete: remove,
      write: (path, content, options) => {
        origins.push(options?.origin);
        return inner.write(path, content, options);
      },
    });
    const { run } = world({ storage, principal: "ada" });
    await run("write_file", { path: "/a", content: "x" }, { toolCallId: `c\n${"x".repeat(500)}` });
    expect(origins).toEqual([{ actor: "agent", sessionId: uuidFor("s1"), principal: "ada", tool: "write_file", toolCallId: `c_${"x".repeat(254)}` }]);
  });
});
