import { describe, expect, it } from "vitest";
import { defineStorage } from "../contract/define-storage.ts";
import { uuidFor } from "../path/uuid.ts";
import { openSession } from "../session/session.ts";
import { memorySeen } from "../session/seen.ts";
import type { SeenStore, ToolName, ToolResult } from "../session/vocabulary.ts";
import { memoryStorage } from "../storages/memory.ts";
import type { Storage } from "../storage.ts";
import { fileTools } from "./file-tools.ts";

const names: readonly ToolName[] = ["read_file", "write_file", "edit_file", "delete_file"];
type Run = (tool: ToolName, args: object, call?: object) => Promise<ToolResult & { readonly text: string }>;

function world(
  seen: SeenStore = memorySeen(),
  limits = {},
  over: (inner: Storage) => Storage = (inner) => inner,
): { readonly storage: Storage; readonly run: Run; readonly put: (path: string, text: string) => Promise<void> } {
  const storage = memoryStorage();
  const tools = new Map(
    fileTools(openSession({ storage: over(storage), sessionId: uuidFor("s1"), tools: names, seen, limits })).map((tool) => [tool.name, tool]),
  );
  return {
    storage,
    run: async (name, args, call = {}) => {
      const result = (await tools.get(name)?.execute(args, { toolCallId: "1", ...call })) as ToolResult;
      return { ...result, text: String(result.forModel) };
    },
    put: async (path, text) => {
      await storage.write(path, new TextEncoder().encode(text));
    },
  };
}

/** The same storage, edited by another session right after the first list. */
function editedBetween(inner: Storage, path: string): Storage {
  let edited = false;
  return defineStorage({
    ...inner,
    list: async (options) => {
      const page = await inner.list(options);
      if (!edited) await inner.write(path, new TextEncoder().encode("by another"));
      edited = true;
      return page;
    },
  });
}

const failing = (method: keyof SeenStore): SeenStore => {
  const down = (): Promise<never> => Promise.reject(new Error("redis://secret is down"));
  return { ...memorySeen(), [method]: down };
};

describe("a store of what was seen that fails", () => {
  it("before a change is `unavailable`, and nothing is changed", async () => {
    const { run, storage, put } = world(failing("get"));
    await put("a", "x");
    for (const [name, args] of [
      ["write_file", { path: "/n", content: "x" }],
      ["edit_file", { path: "/a", old_string: "x", new_string: "y" }],
      ["delete_file", { path: "/a" }],
    ] as const) {
      const answer = await run(name, args);
      expect(answer.text).toMatch(
        /^Error \(unavailable\): What this session has seen of \/[an] could not be looked up, so nothing was changed\. Retry in a moment\.$/,
      );
      expect(JSON.stringify(answer)).not.toContain("redis");
    }
    expect((await storage.list()).map(({ path }) => path)).toEqual(["a"]);
  });

  it('after a change leaves the answer true: "the file tool failed" for a file that was written', async () => {
    const { run, put } = world(failing("set"));
    const notice = "read the file again before you change it";
    const written = await run("write_file", { path: "/n", content: "x" });
    expect(written.isError).toBe(false);
    expect(written.text).toContain("Wrote /n: 1 bytes");
    expect(written.text).toContain(notice);
    await put("a", "x");
    expect((await run("edit_file", { path: "/a", old_string: "x", new_string: "y" })).text).toContain(notice);
    expect((await run("read_file", { path: "/a" })).text).toMatch(/^ {5}1\ty\n\(lines 1-1 of 1\)\n\(it could not be kept/);
    expect((await world(failing("delete")).run("delete_file", { path: "/a" })).code).toBe("not_found");
    const gone = world(failing("delete"));
    await gone.put("a", "x");
    expect((await gone.run("delete_file", { path: "/a" })).text).toContain(`Deleted /a.\n(it could not be kept`);
  });

  it("leaves the footer of a read that fills its answer", async () => {
    const { run, put } = world(failing("set"), { toolResultTokens: 100 });
    await put("long", "line of text\n".repeat(500));
    const { text } = await run("read_file", { path: "/long" });
    expect(text).toMatch(/continue with offset \d+\)\n\(it could not be kept/);
    expect(text.length).toBeLessThanOrEqual(400);
  });
});

it("a store that says null for nothing, as caches do, has seen nothing", async () => {
  const { run, put } = world({ ...memorySeen(), get: async () => null as never });
  await put("a", "x");
  expect((await run("edit_file", { path: "/a", old_string: "x", new_string: "y" })).isError).toBe(false);
  expect((await run("delete_file", { path: "/a" })).isError).toBe(false);
});

describe("deleting a tree", () => {
  it('is refused while a file in it changed since it was read: "delete_file of a directory dropped another agent\'s edit"', async () => {
    const { run, put, storage } = world();
    for (const path of ["d/a", "d/b", "d/c"]) await put(path, "old");
    await run("read_file", { path: "/d/a" });
    await run("read_file", { path: "/d/b" });
    await put("d/b", "by another");
    const refused = await run("delete_file", { path: "/d", recursive: true });
    expect(refused).toMatchObject({ isError: true, code: "conflict", details: { paths: ["/d/b"] } });
    expect(refused.text).toBe("Error (conflict): Nothing was deleted below /d: /d/b changed since you read it; re-read and retry.");
    expect(await storage.list()).toHaveLength(3);
    await run("read_file", { path: "/d/b" });
    expect((await run("delete_file", { path: "/d", recursive: true })).text).toBe("Deleted /d with 3 files below it.");
  });

  it('takes the root, also an empty one: "Set recursive" for a call that had set it', async () => {
    const { run, put } = world();
    expect((await run("delete_file", { path: "/", recursive: true })).text).toBe("Deleted / with 0 files below it.");
    await put("a/b", "x");
    expect((await run("delete_file", { path: "/", recursive: true })).text).toBe("Deleted / with 1 file below it.");
    expect((await run("delete_file", { path: "/" })).code).toBe("not_a_file");
  });

  it("takes a file, over the version seen", async () => {
    const { run, put } = world();
    await put("a", "x");
    await run("read_file", { path: "/a" });
    await put("a", "y");
    expect((await run("delete_file", { path: "/a", recursive: true })).code).toBe("conflict");
    await run("read_file", { path: "/a" });
    expect((await run("delete_file", { path: "/a", recursive: true })).text).toBe("Deleted /a.");
  });

  it.each([
    ["with apply", (inner: Storage): Storage => inner],
    ["file by file", ({ list, read, write, delete: remove }: Storage): Storage => defineStorage({ name: "plain", list, read, write, delete: remove })],
  ])('loses no edit made while it is checked, %s: "Deleted /d with 1 file below it" and the edit was gone', async (_name, shape) => {
    const { run, put, storage } = world(memorySeen(), {}, (inner) => editedBetween(shape(inner), "d/a.txt"));
    await put("d/a.txt", "old");
    await run("read_file", { path: "/d/a.txt" });
    expect((await run("delete_file", { path: "/d", recursive: true })).code).toBe("conflict");
    expect(new TextDecoder().decode((await storage.read("d/a.txt")).bytes)).toBe("by another");
  });

  it("names the stale files also where the directory was a file when it was seen", async () => {
    const { run, put, storage } = world();
    await put("d", "x");
    await run("read_file", { path: "/d" });
    await storage.delete("d");
    await put("d/a", "old");
    await run("read_file", { path: "/d/a" });
    await put("d/a", "new");
    expect((await run("delete_file", { path: "/d", recursive: true })).text).toContain("Nothing was deleted below /d: /d/a changed");
    await run("read_file", { path: "/d/a" });
    expect((await run("delete_file", { path: "/d", recursive: true })).text).toBe("Deleted /d with 1 file below it.");
  });

  it("stops at an abort while it looks up what was seen, and deletes nothing", async () => {
    const abort = new AbortController();
    let asked = 0;
    const seen: SeenStore = {
      ...memorySeen(),
      get: async () => {
        asked += 1;
        if (asked === 2) abort.abort(new Error("stop"));
        return undefined;
      },
    };
    const { put, storage, run } = world(seen);
    for (const path of ["d/a", "d/b", "d/c"]) await put(path, "x");
    await expect(run("delete_file", { path: "/d", recursive: true }, { signal: abort.signal })).rejects.toThrow("stop");
    expect(asked).toBe(2);
    expect(await storage.list()).toHaveLength(3);
  });
});

describe("a store of what was seen with another's values", () => {
  it.each(["bad version !", 7, "absent", "", null, {}])(
    'takes %j for never seen: "invalid_argument: ifVersion must be a version" blamed the model',
    async (foreign) => {
      const { run, put } = world({ ...memorySeen(), get: async () => foreign as never });
      for (const path of ["a", "b", "d/c"]) await put(path, "x");
      expect((await run("write_file", { path: "/a", content: "y" })).code).toBe("already_exists");
      expect((await run("edit_file", { path: "/a", old_string: "x", new_string: "y" })).isError).toBe(false);
      expect((await run("delete_file", { path: "/b" })).isError).toBe(false);
      expect((await run("delete_file", { path: "/d", recursive: true })).isError).toBe(false);
    },
  );
});
