/** The sentences of the second source specification: the contract, its capabilities, scoping, the embedded corpus, mounts and a backend of one's own. */
import { describe, expect, it } from "vitest";
import {
  contentTypeFor,
  createOverlay,
  defineStorage,
  embeddedStorage,
  fileTools,
  memoryStorage,
  mountStorage,
  notFound,
  openSession,
  readOnlyStorage,
  type ScopedStorage,
  type Storage,
  subtreeStorage,
  uuidFor,
  validatePath,
} from "hango";
import { storageConformance } from "hango/testing";

const sessionId = uuidFor("spec b");
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const coded = (code: string): unknown => expect.objectContaining({ code });
const textAt = async (storage: Storage, path: string): Promise<string> => decode((await storage.read(path)).bytes);
const pathsOf = async (storage: Storage): Promise<readonly string[]> => (await storage.list()).map(({ path }) => path);

async function holding(files: Readonly<Record<string, string>>): Promise<Storage> {
  const storage = memoryStorage();
  for (const [path, text] of Object.entries(files)) await storage.write(path, encode(text));
  return storage;
}

describe("the Storage contract", () => {
  it("list returns every file sorted by path, with path, content type, size in bytes, and a time of change that is absent when unknown", async () => {
    const [info] = await (await holding({ "é.md": "é", "b.md": "" })).list();
    expect(info).toMatchObject({ path: "b.md", contentType: "text/markdown", sizeBytes: 0, updatedAt: expect.any(Date) });
    expect((await embeddedStorage({ "a.md": "é" }).list())[0]).toMatchObject({ path: "a.md", sizeBytes: 2 });
    expect((await embeddedStorage({ "a.md": "é" }).list())[0]?.updatedAt).toBeUndefined();
  });

  it("errors are invalid_path, not_found for read and delete of a missing file, and read_only; too_large comes from the tools' maximum", async () => {
    const storage = memoryStorage();
    await expect(storage.read("../x")).rejects.toThrow(coded("invalid_path") as Error);
    await expect(storage.read("x")).rejects.toThrow(coded("not_found") as Error);
    await expect(storage.delete("x")).rejects.toThrow(coded("not_found") as Error);
    await expect(readOnlyStorage(storage).write("x", encode(""))).rejects.toThrow(coded("read_only") as Error);
    const session = openSession({ storage, sessionId, limits: { maxFileBytes: 3 } });
    const write = fileTools(session).find(({ name }) => name === "write_file");
    expect((await write?.execute({ path: "/x", content: "1234" }, { toolCallId: "1" }))?.code).toBe("too_large");
    await storage.write("x", encode("1234"));
  });

  it.each([
    ["", "empty path"],
    ["a".repeat(513), "longer than 512 bytes"],
    ["a\0b", "NUL"],
    ["/a", "leading slash"],
    ["a/", "trailing slash"],
    ["a//b", "empty segment"],
    ["./a", "current-directory segment"],
    ["../a", "parent-directory segment"],
    ["a\\b", "backslash"],
  ])("validatePath refuses %j and names the rule: %s", (path, rule) => {
    expect(() => validatePath(path)).toThrow(rule);
    expect(() => validatePath(path)).toThrow(coded("invalid_path") as Error);
  });

  it("backends are held to the path rules on entry, before their own code runs, and the tools check before the backend", async () => {
    let calls = 0;
    const never = (): never => {
      calls += 1;
      throw notFound("x");
    };
    const storage = defineStorage({
      name: "counting",
      list: async () => never(),
      read: async () => never(),
      write: async () => never(),
      delete: async () => never(),
    });
    for (const path of ["../a", "a//b", ""]) await expect(storage.read(path)).rejects.toThrow(coded("invalid_path") as Error);
    const read = fileTools(openSession({ storage, sessionId })).find(({ name }) => name === "read_file");
    expect((await read?.execute({ path: "/a/../b" }, { toolCallId: "1" }))?.code).toBe("invalid_path");
    expect(calls).toBe(0);
  });

  it("contentTypeFor maps the text extensions and returns nothing otherwise", () => {
    expect([".md", ".txt", ".json", ".yaml", ".html", ".csv"].map((extension) => contentTypeFor(`a${extension}`) !== "")).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect([contentTypeFor("a.exe"), contentTypeFor("Makefile")]).toEqual(["", ""]);
  });
});

describe("capabilities and scoping", () => {
  it("the search tool is there only for a searchable store, and its description carries the syntax", async () => {
    const { list, read, write, delete: remove } = memoryStorage();
    const plain = defineStorage({ name: "plain", list, read, write, delete: remove });
    const toolOf = (storage: Storage) => fileTools(openSession({ storage, sessionId })).find(({ name }) => name === "search");
    expect(toolOf(plain)).toBeUndefined();
    expect(toolOf(memoryStorage())?.description).toContain(memoryStorage().search?.syntax);
  });

  it("a scope is bound first: the tools hold the bound store, and a model has no argument that reaches another tenant", async () => {
    const trees = new Map([
      ["acme", await holding({ "a.md": "acme's" })],
      ["umbrella", await holding({ "b.md": "umbrella's" })],
    ]);
    const backend: ScopedStorage<string> = { name: "tenants", scope: (tenant) => trees.get(tenant) ?? memoryStorage() };
    expect(() => openSession({ storage: backend as never, sessionId })).toThrow(coded("invalid_argument") as Error);
    for (const tool of fileTools(openSession({ storage: backend.scope("acme"), sessionId }))) {
      expect(JSON.stringify(tool.inputSchema)).not.toMatch(/tenant|scope|agent_id|session/i);
      if (tool.name === "ls") expect((await tool.execute({ path: "/", tenant: "umbrella" }, { toolCallId: "1" })).forModel).not.toContain("b.md");
    }
  });
});

describe("memory", () => {
  it("copies on the way in and out, and searches a substring whatever its case", async () => {
    const storage = memoryStorage();
    const bytes = encode("Penguins");
    await storage.write("a", bytes);
    bytes[0] = 0;
    (await storage.read("a")).bytes[0] = 0;
    expect([await textAt(storage, "a"), await storage.search?.paths("pENGUIN")]).toEqual(["Penguins", ["a"]]);
  });
});

describe("an embedded corpus", () => {
  const corpus = embeddedStorage({ "knowledge/faq.md": "Opening hours: 9 to 5", "knowledge/blob.xyz": "x" }, { prefix: "knowledge" });
  it("refuses writes with read_only, and an invalid path with invalid_path", async () => {
    await expect(corpus.write("faq.md", encode("x"))).rejects.toThrow(coded("read_only") as Error);
    await expect(corpus.delete("faq.md")).rejects.toThrow(coded("read_only") as Error);
    await expect(corpus.write("/faq.md", encode("x"))).rejects.toThrow(coded("invalid_path") as Error);
    await expect(corpus.read("./faq.md")).rejects.toThrow(coded("invalid_path") as Error);
  });
  it("searches a substring whatever its case; unknown extensions are application/octet-stream", async () => {
    expect(await corpus.search?.paths("OPENING")).toEqual(["faq.md"]);
    expect((await corpus.read("blob.xyz")).info.contentType).toBe("application/octet-stream");
  });
  it("with a prefix the model sees faq.md, not knowledge/faq.md", async () => {
    expect(await pathsOf(corpus)).toEqual(["blob.xyz", "faq.md"]);
  });
  it("reads anything with readdirSync and readFileSync", async () => {
    const file = (name: string) => ({ name, isFile: () => true, isDirectory: () => false });
    const fs = { readdirSync: () => [file("faq.md")], readFileSync: () => "Opening hours" };
    expect(await textAt(embeddedStorage(fs), "faq.md")).toBe("Opening hours");
  });
});

describe("a mount", () => {
  it("the longest matching prefix owns a path, and its storage sees the path without the prefix", async () => {
    const [root, docs] = [memoryStorage(), memoryStorage()];
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: root },
        { prefix: "docs", storage: docs },
      ],
    });
    for (const path of ["docs/a.md", "docsy.md"]) await mount.write(path, encode(path));
    expect([await pathsOf(root), await pathsOf(docs)]).toEqual([["docsy.md"], ["a.md"]]);
  });
  it("files of an outer mount under an inner prefix are hidden, so every path has one owner", async () => {
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: await holding({ "docs/a.md": "outer", "docs/b.md": "outer" }) },
        { prefix: "docs", storage: await holding({ "a.md": "inner" }) },
      ],
    });
    expect([await pathsOf(mount), await textAt(mount, "docs/a.md")]).toEqual([["docs/a.md"], "inner"]);
  });
  it("read-only mounts refuse writes and deletes with read_only, whatever their storage supports", async () => {
    const mount = mountStorage({ mounts: [{ prefix: "docs", storage: await holding({ "a.md": "x" }), readOnly: true }] });
    await expect(mount.write("docs/a.md", encode("y"))).rejects.toThrow(coded("read_only") as Error);
    await expect(mount.delete("docs/a.md")).rejects.toThrow(coded("read_only") as Error);
  });
  it("every path is parsed before routing, so ./docs/a.md can't slip past a docs mount to the root", async () => {
    const root = memoryStorage();
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: root },
        { prefix: "docs", storage: memoryStorage(), readOnly: true },
      ],
    });
    await expect(mount.write("./docs/a.md", encode("x"))).rejects.toThrow(coded("invalid_path") as Error);
    const { fs } = openSession({ storage: mount, sessionId });
    for (const path of ["/./docs/a.md", "//docs/a.md", "/docs/./a.md"]) await expect(fs.write(path, "x"), path).rejects.toThrow(coded("read_only") as Error);
    expect(await pathsOf(root)).toEqual([]);
  });
  it("a path no mount owns, or equal to a prefix, is invalid_path", async () => {
    const mount = mountStorage({ mounts: [{ prefix: "docs", storage: memoryStorage() }] });
    for (const path of ["a.md", "docs"]) await expect(mount.read(path)).rejects.toThrow(coded("invalid_path") as Error);
  });
  it("duplicate prefixes, no storage or an invalid prefix fail at creation", () => {
    const storage = memoryStorage();
    for (const mounts of [
      [
        { prefix: "a", storage },
        { prefix: "a", storage },
      ],
      [{ prefix: "a", storage: undefined as never }],
      [{ prefix: "../a", storage }],
    ])
      expect(() => mountStorage({ mounts })).toThrow();
  });
  it("is searchable exactly when at least one mount is, and finds across mounts in byte order", async () => {
    const { list, read, write, delete: remove } = memoryStorage();
    const plain = defineStorage({ name: "plain", list, read, write, delete: remove });
    expect(mountStorage({ mounts: [{ prefix: "", storage: plain }] }).search).toBeUndefined();
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: plain },
        { prefix: "b", storage: await holding({ x: "word" }) },
        { prefix: "a", storage: await holding({ y: "Word" }) },
      ],
    });
    expect(await mount.search?.paths("word")).toEqual(["a/y", "b/x"]);
    expect(mount.search?.syntax).toContain("Only files below /a/, /b/ are searched.");
  });
});

describe("a session over a corpus with memory at the machine prefixes", () => {
  it("keeps offloads there: its own are read back, and the corpus stays as it was", async () => {
    const machine = memoryStorage();
    const corpus = embeddedStorage({ "faq.md": "Opening hours: 9 to 5" });
    const storage = mountStorage({
      mounts: [
        { prefix: "", storage: corpus },
        { prefix: "large_tool_results", storage: machine },
      ],
    });
    const session = openSession({ storage, sessionId });
    const offloaded = await session.offload({ isError: false, forModel: "row\n".repeat(40_000) }, { toolCallId: "1", toolName: "query" });
    const { path } = offloaded.details!["offload"] as { readonly path: string };
    expect((await session.fs.read(path, { limit: 1 })).totalLines).toBe(40_000);
    expect([await pathsOf(corpus), (await pathsOf(machine)).length]).toEqual([["faq.md"], 1]);
    const other = openSession({ storage, sessionId: uuidFor("another session") });
    await expect(other.fs.read(path)).rejects.toThrow(coded("not_found") as Error);
    expect((await other.fs.ls("/")).map(({ name }) => name)).toEqual(["faq.md"]);
  });
});

describe("a session over an overlay with memory at the machine prefixes", () => {
  it("offloads there, and nothing of it shows in the changes, also when an agent writes and the changes are committed", async () => {
    const base = await holding({ "a.md": "one\n" });
    const overlay = createOverlay({ base });
    const [results, history] = [memoryStorage(), memoryStorage()];
    const storage = mountStorage({
      mounts: [
        { prefix: "", storage: overlay.storage },
        { prefix: "large_tool_results", storage: results },
        { prefix: "conversation_history", storage: history },
      ],
    });
    const session = openSession({ storage, sessionId });
    const offloaded = await session.offload({ isError: false, forModel: "row\n".repeat(40_000) }, { toolCallId: "1", toolName: "query" });
    const { path, saved } = offloaded.details!["offload"] as { readonly path: string; readonly saved: boolean };
    expect([saved, (await session.fs.read(path, { limit: 1 })).totalLines]).toEqual([true, 40_000]);
    await openSession({ storage, sessionId, actor: "system" }).storage.write(`conversation_history/${sessionId}.md`, encode("said"));
    await session.fs.edit("/a.md", "one", "two");
    expect((await overlay.changes()).map(({ kind, path: changed }) => [kind, changed])).toEqual([["modify", "a.md"]]);
    await overlay.commit();
    expect([await pathsOf(base), await textAt(base, "a.md"), await pathsOf(history)]).toEqual([["a.md"], "two\n", [`${sessionId}.md`]]);
    expect((await session.fs.glob("**")).paths).toEqual(["/a.md", `/conversation_history/${sessionId}.md`, path]);
  });
});

describe("a backend of one's own", () => {
  it("gets a fresh store for each case, and the search cases run only when it is searchable", async () => {
    const made: Storage[] = [];
    const names: string[] = [];
    const create = (): Storage => {
      made.push(subtreeStorage(memoryStorage(), ""));
      return made.at(-1) as Storage;
    };
    storageConformance({ describe: (_, body) => body(), it: (name) => void names.push(name) }, { name: "one", create });
    expect(names.some((name) => name.startsWith("search: "))).toBe(true);
    const { list, read, write, delete: remove } = memoryStorage();
    const plain = (): Storage => defineStorage({ name: "plain", list, read, write, delete: remove });
    const without: string[] = [];
    storageConformance({ describe: (_, body) => body(), it: (name) => void without.push(name) }, { name: "plain", create: plain });
    expect(without.filter((name) => name.includes("search")).every((name) => name.startsWith("skipped: search is absent"))).toBe(true);
  });
});
