/** Cases of large results, from public reports; as code, for they go through a session's offload and not through a file tool. */
import { expect } from "vitest";
import { fileTools, isHangoError, openSession, uuidFor, withOffload, type Part, type Session, type Storage, type Tool, type ToolResult } from "hango";
import { filled } from "../conformance/seeded.ts";

export interface OffloadCase {
  readonly name: string;
  readonly source: string;
  readonly run: (storage: Storage) => Promise<void>;
}

const sessionId = uuidFor("s1");
const directory = `/large_tool_results/${sessionId}/`;
const large = (unit: string): string => unit.repeat(100_000);
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function textOf({ forModel }: ToolResult): string {
  return typeof forModel === "string"
    ? forModel
    : forModel.map((part) => (part.type === "text" ? String((part as { readonly text: string }).text) : "")).join("\n");
}

/** The path that a preview names. */
function pathOf(preview: string): string {
  const path = /\/large_tool_results\/\S+/.exec(preview)?.[0];
  if (path === undefined) throw new Error(`the preview names no path: ${preview.slice(0, 300)}`);
  return path;
}

function offload(session: Session, toolCallId: string, forModel: string | readonly Part[], more: Partial<ToolResult> = {}): Promise<ToolResult> {
  return session.offload({ isError: false, forModel, ...more }, { toolCallId, toolName: "big_tool" });
}

async function storedAt(session: Session, path: string): Promise<string> {
  return decoder.decode((await session.storage.read(path.slice(1))).bytes);
}

function bounded(preview: string): void {
  expect(preview.length).toBeLessThan(1000);
  expect(preview.isWellFormed()).toBe(true);
}

function toolOf(session: Session, name: string): Tool {
  const tool = fileTools(session).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`the session has no ${name}`);
  return tool;
}

export const offloadCases: readonly OffloadCase[] = [
  {
    name: "gives every result a path of its own: empty ids, a/b beside a_b, one id with two texts",
    source: "langchain-ai/deepagents#6302",
    run: async (storage) => {
      const session = openSession({ storage, sessionId });
      const results = [
        ["", large("A")],
        ["", large("B")],
        ["a/b", large("C")],
        ["a_b", large("D")],
        ["a_b", large("E")],
        ["a.b", large("F")],
        ["A_B", large("F")],
      ] as const;
      const paths = new Map<string, string>();
      for (const [id, text] of results) paths.set(pathOf(textOf(await offload(session, id, text))), text);
      expect(paths.size).toBe(results.length);
      for (const [path, text] of paths) expect(await storedAt(session, path)).toBe(text);
    },
  },
  {
    name: "answers a replay with the same bytes and no second file",
    source: "langchain-ai/deepagents#6302",
    run: async (storage) => {
      const first = await offload(openSession({ storage, sessionId }), "call-1", large("x\n"));
      const again = await offload(openSession({ storage, sessionId }), "call-1", large("x\n"));
      expect(again).toEqual(first);
      expect(await storage.list({ prefix: "large_tool_results" })).toHaveLength(1);
    },
  },
  {
    name: "shows five lines of each end as they are: dollar signs, CR and whole characters",
    source: "modelcontextprotocol/servers#4157, elizaOS/eliza#23686",
    run: async (storage) => {
      const session = openSession({ storage, sessionId });
      const text = `$& $1 $$\n${Array.from({ length: 9998 }, (_, index) => `row ${index + 2}\r\n`).join("")}$' $\``;
      const preview = textOf(await offload(session, "c1", text));
      bounded(preview);
      for (const part of ["$& $1 $$", "row 5", "row 9996", "$' $`", "10000 lines"]) expect(preview).toContain(part);
      for (const part of ["row 6\n", "row 9995\n", "\r"]) expect(preview).not.toContain(part);
      expect(await storedAt(session, pathOf(preview))).toBe(text);
      bounded(textOf(await offload(session, "c2", "a\u{1F600}".repeat(30_000))));
    },
  },
  {
    name: "keeps path and preview short for a long id",
    source: "langchain-ai/deepagents#5560, langchain-ai/deepagents#5559",
    run: async (storage) => {
      const session = openSession({ storage, sessionId });
      const preview = textOf(await offload(session, `call_2945190__thought__${"A".repeat(1400)}`, large("x")));
      bounded(preview);
      expect(preview).not.toContain("A".repeat(40));
      const path = pathOf(preview);
      expect([new TextEncoder().encode(path).length <= 512, path.split("/").length]).toEqual([true, 4]);
      expect(await storedAt(session, path)).toBe(large("x"));
    },
  },
  {
    name: "lets no id choose another place",
    source: "langchain-ai/deepagents#5559",
    run: async (storage) => {
      const session = openSession({ storage, sessionId });
      for (const id of [
        "../../memories/AGENTS.md",
        "..",
        ".",
        "/etc/passwd",
        "a\0b",
        "a\nb",
        "a b",
        "%2f..%2f",
        "*",
        "\u202e",
        "\ud800",
        "é\u{1F600}",
        "large_tool_results/x",
      ]) {
        const preview = textOf(await offload(session, id, `${large("x")}${id}`));
        bounded(preview);
        const path = pathOf(preview);
        expect([path.startsWith(directory), path.split("/").length], id).toEqual([true, 4]);
      }
      for (const { path } of await storage.list()) expect(`/${path}`.startsWith(directory)).toBe(true);
    },
  },
  {
    name: "is read back by read_file in parts, with the payload and without another offload, also when it is one line",
    source: "langchain-ai/deepagentsjs#82, HKUDS/nanobot#4153, cacheplane/b4run#189",
    run: async (storage) => {
      const session = openSession({ storage, sessionId });
      const payload = `${"xxxxxxxxxxxxxxxxxxx漢".repeat(5000)}NEEDLE`;
      const big = withOffload(session, { name: "big_tool", description: "", inputSchema: {}, execute: async () => ({ isError: false, forModel: payload }) });
      const path = pathOf(textOf(await big.execute({}, { toolCallId: "c1" })));
      const reader = withOffload(session, toolOf(session, "read_file"));
      const first = textOf(await reader.execute({ path }, { toolCallId: "r1" }));
      expect(first).toContain(payload.slice(0, 1000));
      expect(new TextEncoder().encode(first).length / 4).toBeLessThanOrEqual(20_000);
      const last = textOf(await reader.execute({ path, column: 99_000 }, { toolCallId: "r2" }));
      expect(last).toContain("NEEDLE");
      expect(textOf(await toolOf(session, "grep").execute({ pattern: "NEEDLE", path }, { toolCallId: "g1" }))).toContain("NEEDLE");
      expect(await storage.list({ prefix: "large_tool_results" })).toHaveLength(1);
    },
  },
  {
    name: "counts all text parts together, keeps both in order, and leaves an image where it was",
    source: "langchain-ai/deepagents#674",
    run: async (storage) => {
      const session = openSession({ storage, sessionId });
      const image = { type: "image", data: "aGk=", mimeType: "image/png" };
      const result = await offload(session, "c1", [image, { type: "text", text: "x".repeat(60_000) }, { type: "text", text: "y".repeat(60_000) }]);
      const preview = textOf(result);
      bounded(preview.trim());
      expect(result.forModel).toHaveLength(2);
      expect(result.forModel[0]).toEqual(image);
      expect(await storedAt(session, pathOf(preview))).toBe(`${"x".repeat(60_000)}\n${"y".repeat(60_000)}`);
    },
  },
  {
    name: "leaves small results as they are, whatever images come with them",
    source: "langchain-ai/deepagents#674",
    run: async (storage) => {
      const session = openSession({ storage, sessionId });
      for (const forModel of [
        "small",
        "a".repeat(80_000),
        [
          { type: "image", data: "x".repeat(200_000) },
          { type: "text", text: "small" },
        ],
      ] as const) {
        const result = { isError: false, forModel, details: { k: 1 } };
        expect(await session.offload(result, { toolCallId: "c", toolName: "t" })).toEqual(result);
      }
      expect(textOf(await offload(session, "c", "a".repeat(80_004)))).toContain(directory);
    },
  },
  {
    name: "keeps the error flag and the details",
    source: "langchain-ai/deepagents#1482",
    run: async (storage) => {
      const result = await offload(openSession({ storage, sessionId }), "c1", large("x"), { isError: true, code: "internal", details: { k: 1 } });
      expect([result.isError, result.code, result.details?.["k"]]).toEqual([true, "internal", 1]);
      expect(result.details?.["offload"]).toMatchObject({ tokensBefore: 25_000, saved: true });
    },
  },
  {
    name: "stores NUL and half a character as visible signs",
    source: "getsentry/junior#897",
    run: async (storage) => {
      const session = openSession({ storage, sessionId });
      const preview = textOf(await offload(session, "c1", `\0a\ud800b\n${large("x")}`));
      bounded(preview);
      expect(await storedAt(session, pathOf(preview))).toBe(`\u2400a\ufffdb\n${large("x")}`);
    },
  },
  {
    name: "names only tools that the session has",
    source: "cacheplane/b4run#189",
    run: async (storage) => {
      const preview = async (tools: readonly ("grep" | "read_file" | "ls")[], id: string): Promise<string> =>
        textOf(await offload(openSession({ storage, sessionId, tools }), id, large("x")));
      expect([
        /read_file/.test(await preview(["ls"], "1")),
        /grep/.test(await preview(["read_file"], "2")),
        /read_file/.test(await preview(["grep"], "3")),
      ]).toEqual([false, false, false]);
      expect(await preview(["read_file", "grep"], "4")).toMatch(/read_file[^]*grep/);
    },
  },
  {
    name: "is no other session's, and none of the agent's own to change",
    source: "langchain-ai/langgraph#8478",
    run: async (storage) => {
      await filled(storage, { "a.txt": "x" });
      const session = openSession({ storage, sessionId });
      const path = pathOf(textOf(await offload(session, "c1", large("x"))));
      const other = openSession({ storage, sessionId: uuidFor("s10") });
      for (const call of [
        () => other.fs.read(path),
        () => other.fs.stat(path),
        () => other.fs.ls(directory),
        () => other.fs.ls("/large_tool_results"),
        () => other.storage.read(path.slice(1)),
      ])
        await expect(call()).rejects.toSatisfy((error: unknown) => isHangoError(error, "not_found"));
      expect((await other.fs.ls("/")).map((entry) => entry.name)).toEqual(["a.txt"]);
      for (const change of [() => session.fs.write(path, "x"), () => session.fs.delete(path), () => session.fs.edit(path, "x", "y", { replaceAll: true })])
        await expect(change()).rejects.toSatisfy((error: unknown) => isHangoError(error, "forbidden"));
    },
  },
];
