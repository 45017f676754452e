import { describe, expect, it } from "vitest";
import { uuidFor } from "../path/uuid.ts";
import { openSession, type SessionOptions } from "../session/session.ts";
import type { ToolName, ToolResult } from "../session/vocabulary.ts";
import { memoryStorage } from "../storages/memory.ts";
import { fileTools } from "./file-tools.ts";

async function world(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<SessionOptions> = {},
): Promise<(tool: ToolName, args?: object) => Promise<ToolResult & { readonly text: string }>> {
  const storage = memoryStorage();
  for (const [path, content] of Object.entries(files)) await storage.write(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  const session = openSession({ storage, sessionId: uuidFor("s1"), ...options });
  const tools = new Map(fileTools(session).map((tool) => [tool.name, tool]));
  return async (name, args = {}) => {
    const result = (await tools.get(name)?.execute(args, { toolCallId: "1" })) as ToolResult;
    return { ...result, text: String(result.forModel) };
  };
}

const many = (n: number, name: (index: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: n }, (_, index) => [name(index), "needle"]));
const padded = (index: number): string => String(index).padStart(4, "0");
const tokens = (text: string): number => new TextEncoder().encode(text).length / 4;

describe("ls", () => {
  it("prints paths, directories with a slash and files with their size", async () => {
    const run = await world({ "docs/a.md": "abc", "b.md": "", __proto__x: "x" });
    expect((await run("ls")).text).toBe("/__proto__x (1 bytes)\n/b.md (0 bytes)\n/docs/");
    expect((await run("ls", { path: "/docs" })).text).toBe("/docs/a.md (3 bytes)");
    expect((await (await world({}))("ls")).text).toBe("The directory is empty.");
    expect((await run("ls", { path: "/none" })).code).toBe("not_found");
    expect((await run("ls", { path: "/b.md" })).code).toBe("not_a_directory");
  });

  it("stops at 1000 entries and not before, and says how to go on", async () => {
    expect((await (await world(many(1_000, (index) => `f${padded(index)}`)))("ls")).text).not.toContain("truncated");
    const run = await world(many(1_001, (index) => `f${padded(index)}`));
    const first = await run("ls");
    expect(first.text).toMatch(/\(truncated after 1000 entries: continue with after "f0999", or list a directory below\)$/);
    expect((await run("ls", { after: "f0999" })).text).toBe("/f1000 (6 bytes)");
  });

  it("stays under the token limit on whole entries; going on by the notice alone shows every entry once", async () => {
    const run = await world(
      { ...many(90, (index) => `file${padded(index)}.txt`), ...many(30, (index) => `directory${padded(index)}/x`) },
      { limits: { toolResultTokens: 200 } },
    );
    const seen: string[] = [];
    for (let after: string | undefined = ""; after !== undefined;) {
      const { text } = await run("ls", after === "" ? {} : { after });
      expect(tokens(text)).toBeLessThanOrEqual(200);
      seen.push(...text.split("\n").filter((line) => line.startsWith("/")));
      after = /continue with after ("[^"]*")/.exec(text)?.[1]?.slice(1, -1);
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
  });
});

describe("glob and search", () => {
  it("print paths, or that none matches", async () => {
    const run = await world({ "docs/a.md": "Milk", "b.md": "eggs" });
    expect((await run("glob", { pattern: "*.md" })).text).toBe("/b.md\n/docs/a.md");
    expect((await run("glob", { pattern: "*.md", path: "/docs" })).text).toBe("/docs/a.md");
    expect((await run("glob", { pattern: "*.ts" })).text).toBe("No file matches.");
    expect((await run("glob", { pattern: "a{" })).isError).toBe(true);
    expect((await run("search", { query: "mILK" })).text).toBe("/docs/a.md");
    expect((await run("search", { query: "" })).code).toBe("invalid_argument");
  });

  it("describe the cap that holds, and tell the application whether anything was dropped", async () => {
    const session = openSession({ storage: memoryStorage(), sessionId: uuidFor("s1"), limits: { maxMatches: 3, maxLineChars: 70 } });
    for (const name of ["ls", "glob", "grep", "search"]) expect(fileTools(session).find((tool) => tool.name === name)?.description).toMatch(/at most 3\b/i);
    expect(fileTools(session).find(({ name }) => name === "read_file")?.description).toContain("over 70 characters");
    for (const [n, truncated] of [
      [3, false],
      [4, true],
    ] as const) {
      const run = await world(
        many(n, (index) => `f${index}`),
        { limits: { maxMatches: 3 } },
      );
      for (const [name, args] of [
        ["ls", {}],
        ["glob", { pattern: "*" }],
        ["grep", { pattern: "needle" }],
        ["search", { query: "needle" }],
      ] as const)
        expect([name, (await run(name, args)).details]).toEqual([name, { truncated }]);
    }
  });

  it("stop at the cap, set truncated only when something was dropped, and say how to narrow", async () => {
    for (const [n, cut] of [
      [2, false],
      [3, false],
      [4, true],
    ] as const) {
      const run = await world(
        many(n, (index) => `f${index}`),
        { limits: { maxMatches: 3 } },
      );
      expect([n, (await run("glob", { pattern: "*" })).text.includes("truncated after 3 paths: use a more specific pattern")]).toEqual([n, cut]);
      expect([n, (await run("search", { query: "needle" })).text.includes("truncated after 3 paths: use a more specific query")]).toEqual([n, cut]);
    }
  });

  it("stay under the token limit", async () => {
    const run = await world(
      many(300, (index) => `some/long/directory/name/file${padded(index)}.txt`),
      { limits: { toolResultTokens: 300 } },
    );
    for (const { text } of [await run("glob", { pattern: "**" }), await run("search", { query: "needle" }), await run("grep", { pattern: "needle" })]) {
      expect(tokens(text)).toBeLessThanOrEqual(300);
      expect(text).toContain("truncated after");
      expect(text.split("\n").at(0)).toContain("/some/long/directory/name/file0000.txt");
    }
  });

  it("search tells its syntax, and is there only when the storage has it", async () => {
    const storage = memoryStorage();
    const tools = fileTools(openSession({ storage, sessionId: uuidFor("s1") }));
    expect(tools.find(({ name }) => name === "search")?.description).toContain(storage.search?.syntax);
  });
});

describe("grep", () => {
  const files = {
    "a.txt": "one\ntwo needle\nthree\nfour needle\nfive needle\nsix\nseven\neight\nnine needle\n",
    "b/c.txt": "needle",
    "bin.dat": new Uint8Array([0, 1, 2]),
  };

  it("prints path:line: text, and what it could not search", async () => {
    const run = await world(files);
    expect((await run("grep", { pattern: "needle$" })).text).toBe(
      "/a.txt:2: two needle\n/a.txt:4: four needle\n/a.txt:5: five needle\n/a.txt:9: nine needle\n/b/c.txt:1: needle\n(not searched, because binary or not readable: /bin.dat)",
    );
    expect((await run("grep", { pattern: "nothing", path: "/a.txt" })).text).toBe("No line matches.");
    expect((await run("grep", { pattern: "NEEDLE", ignore_case: true, path: "/b" })).text).toBe("/b/c.txt:1: needle");
    expect((await run("grep", { pattern: "needle", include: "c.*" })).text).toBe("/b/c.txt:1: needle");
  });

  it("prints each line of context once, and -- where lines are left out", async () => {
    const run = await world(files);
    expect((await run("grep", { pattern: "needle", context: 1 })).text.split("\n").slice(0, -1)).toEqual([
      "/a.txt-1- one",
      "/a.txt:2: two needle",
      "/a.txt-3- three",
      "/a.txt:4: four needle",
      "/a.txt:5: five needle",
      "/a.txt-6- six",
      "--",
      "/a.txt-8- eight",
      "/a.txt:9: nine needle",
      "--",
      "/b/c.txt:1: needle",
    ]);
  });

  it("prints only paths, or counts", async () => {
    const run = await world(files);
    expect((await run("grep", { pattern: "needle", output_mode: "files_with_matches" })).text).toMatch(/^\/a\.txt\n\/b\/c\.txt\n\(not searched/);
    expect((await run("grep", { pattern: "needle", output_mode: "count" })).text).toMatch(/^\/a\.txt: 4 matches\n\/b\/c\.txt: 1 match\n/);
    expect((await run("grep", { pattern: "needle", output_mode: "count", max_count: 2 })).text).toMatch(/^\/a\.txt: at least 2 matches\n\(truncated/);
  });

  it("shows a part of a long line with the column of its match, and how to see more", async () => {
    const run = await world({ "long.json": `${"x".repeat(30_000)}needle${"y".repeat(30_000)}` });
    const { text } = await run("grep", { pattern: "needle" });
    expect(text).toContain("[match at column 30001]");
    expect(text).toContain("read_file");
    expect(text.length).toBeLessThan(800);
  });

  it("answers a pattern outside the grammar with an error that quotes it and names literal", async () => {
    const { text, code } = await (await world(files))("grep", { pattern: "(?=needle)" });
    expect(code).toBe("invalid_pattern");
    expect(text).toContain("(?=needle)");
    expect(text).toContain("literal");
  });
});

describe("fileTools", () => {
  it("gives exactly the tools of the session, in its order", () => {
    const session = openSession({ storage: memoryStorage(), sessionId: uuidFor("s1"), tools: ["grep", "ls", "delete_file"] });
    expect(fileTools(session).map(({ name }) => name)).toEqual(["grep", "ls", "delete_file"]);
  });

  it("hints only at tools that the session has", async () => {
    expect((await (await world({}, { tools: ["read_file"] }))("read_file", { path: "/none" })).text).toBe("Error (not_found): /none does not exist.");
  });
});
