/** What the first specification asks for, each sentence a test, on real Postgres. */
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createFileSystem, fileTools, isHangoError, openSession, parseAgentPath, type Namespace, type Session, type Storage, type ToolResult } from "hango";
import { aiSdkTools } from "hango/ai-sdk";
import { openPostgres } from "./conformance/databases.ts";

const postgres = openPostgres();
const namespaceOf = (): Namespace => ({ tenantId: randomUUID(), agentId: randomUUID() });
const coded =
  (code: string) =>
  (error: unknown): boolean =>
    isHangoError(error) && error.code === code;

function call(session: Session, name: string, args: Readonly<Record<string, unknown>>, batchId: string = randomUUID()): Promise<ToolResult> {
  const found = fileToolsOf(session).get(name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found.execute(args, { toolCallId: randomUUID(), batchId });
}

const toolsets = new WeakMap<Session, ReadonlyMap<string, ReturnType<typeof fileTools>[number]>>();
/** One set of tools a session, as a loop has: the batch guard lives in it. */
function fileToolsOf(session: Session): ReadonlyMap<string, ReturnType<typeof fileTools>[number]> {
  const known = toolsets.get(session) ?? new Map(fileTools(session).map((one) => [one.name, one]));
  toolsets.set(session, known);
  return known;
}

const textOf = (result: ToolResult): string => (typeof result.forModel === "string" ? result.forModel : JSON.stringify(result.forModel));
const open = (storage: Storage, more: Partial<Parameters<typeof openSession>[0]> = {}): Session => openSession({ storage, sessionId: randomUUID(), ...more });

describe("path validation covers traversal, relative paths, NUL, depth and length caps", () => {
  const refused: readonly (readonly [string, string])[] = [
    ["a relative path", "a/b"],
    ["the empty path", ""],
    ["traversal", "/a/../../etc"],
    ["traversal inside", "/a/../b"],
    ["a bare parent", "/.."],
    ["NUL", "/a\0b"],
    ["a backslash", "/a\\b"],
    ["33 segments", `/${"d/".repeat(32)}d`],
    ["513 bytes", `/${"a".repeat(255)}/${"b".repeat(255)}/c`],
    ["a segment of 256 bytes", `/${"a".repeat(256)}`],
  ];
  it.each(refused)("refuses %s", (_, path) => expect(() => parseAgentPath(path)).toThrow(expect.toSatisfy(coded("invalid_path"))));
  const taken: readonly (readonly [string, string])[] = [
    ["/a/b", "/a/b"],
    ["/a/./b", "/a/b"],
    ["//a///b/", "/a/b"],
    ["/", "/"],
    ["/a..b/...c", "/a..b/...c"],
    [`/${"d/".repeat(31)}d`, `/${"d/".repeat(31)}d`],
    [`/${"a".repeat(255)}/${"b".repeat(255)}/`, `/${"a".repeat(255)}/${"b".repeat(255)}`],
  ];
  it.each(taken)("takes %s", (path, normal) => expect(parseAgentPath(path)).toBe(normal));
  it("may lower the depth, never raise it", () => {
    expect(() => createFileSystem(postgres.tree(), { limits: { maxPathDepth: 33 } })).toThrow();
  });
});

it("does all eight operations on real Postgres", async () => {
  const fs = createFileSystem(postgres.tree());
  const written = await fs.write("/docs/a.md", "# A\nfirst\nsecond\n");
  expect((await fs.read("/docs/a.md", { offset: 2, limit: 1 })).lines).toEqual([{ number: 2, text: "first", clipped: false }]);
  const edited = await fs.edit("/docs/a.md", "first", "1st");
  expect([edited.replacements, edited.version === written.version]).toEqual([1, false]);
  expect((await fs.ls("/docs")).map((entry) => entry.name)).toEqual(["a.md"]);
  expect((await fs.stat("/docs")).kind).toBe("directory");
  expect((await fs.glob("**/*.md")).paths).toEqual(["/docs/a.md"]);
  expect((await fs.grep("^1st$")).matches).toMatchObject([{ path: "/docs/a.md", line: 2, column: 1, text: "1st" }]);
  await fs.delete("/docs/a.md");
  await expect(fs.read("/docs/a.md")).rejects.toSatisfy(coded("not_found"));
});

describe("isolation", () => {
  async function seesNothing(foreign: Storage): Promise<void> {
    const session = open(foreign);
    expect(await session.fs.ls("/")).toEqual([]);
    expect((await session.fs.glob("**")).paths).toEqual([]);
    expect((await session.fs.grep("SECRET")).matches).toEqual([]);
    await expect(session.fs.stat("/secret.txt")).rejects.toSatisfy(coded("not_found"));
    expect((await call(session, "read_file", { path: "/secret.txt" })).code).toBe("not_found");
    expect((await call(session, "edit_file", { path: "/secret.txt", old_string: "SECRET", new_string: "x" })).code).toBe("not_found");
  }
  it("lets agent A not read agent B's file within the same tenant", async () => {
    const tenantId = randomUUID();
    const [a, b] = [postgres.storage().scope({ tenantId, agentId: randomUUID() }), postgres.storage().scope({ tenantId, agentId: randomUUID() })];
    await createFileSystem(b).write("/secret.txt", "SECRET");
    await seesNothing(a);
    expect((await createFileSystem(b).read("/secret.txt")).lines[0]?.text).toBe("SECRET");
  });
  it("lets tenant B not read tenant A's file at all, also under the same agent id", async () => {
    const agentId = randomUUID();
    const [a, b] = [postgres.storage().scope({ tenantId: randomUUID(), agentId }), postgres.storage().scope({ tenantId: randomUUID(), agentId })];
    await createFileSystem(a).write("/secret.txt", "SECRET");
    await seesNothing(b);
  });
});

describe("a 100k-character tool result", () => {
  const payloads: readonly (readonly [string, string])[] = [
    [
      "of many lines",
      Array.from({ length: 4000 }, (_, index) => `row ${index} of a long answer`)
        .join("\n")
        .slice(0, 99_987) + "\nTHE NEEDLE 42",
    ],
    ["of one line", `${"x".repeat(60_000)}THE NEEDLE 42${"y".repeat(40_000)}`],
  ];
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };

  it.each(payloads)("%s is a preview under 1000 characters in the next model request, and a readable file", async (_, payload) => {
    const sessionId = randomUUID();
    const session = open(postgres.tree(), { sessionId });
    let turn = 0;
    let path = "";
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        turn += 1;
        if (turn === 2) path = /\/large_tool_results\/[^\s"\\]+/.exec(JSON.stringify(prompt))?.[0] ?? "";
        const steps = [
          ["query", {}],
          ["grep", { pattern: "THE NEEDLE", path }],
          ["read_file", { path, limit: 3 }],
        ] as const;
        const step = steps[turn - 1];
        if (step === undefined) return { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop", raw: "stop" }, usage, warnings: [] };
        return {
          content: [{ type: "tool-call", toolCallId: `call-${turn}`, toolName: step[0], input: JSON.stringify(step[1]) }],
          finishReason: { unified: "tool-calls", raw: "tool-calls" },
          usage,
          warnings: [],
        };
      },
    });
    const query = tool({
      description: "Answers at length.",
      inputSchema: jsonSchema<Record<string, never>>({ type: "object", properties: {} }),
      execute: async () => payload,
    });
    await generateText({ model, prompt: "go", tools: aiSdkTools(session, { tools: { query } }), stopWhen: isStepCount(5) });
    const requests = model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt));
    const toolMessage = model.doGenerateCalls[1]?.prompt.at(-1);
    const [part] = toolMessage?.role === "tool" ? toolMessage.content : [];
    const output = part?.type === "tool-result" ? part.output : undefined;
    expect(output?.type === "text" ? output.value.length : -1).toBeGreaterThan(0);
    expect(output?.type === "text" ? output.value.length : 1000).toBeLessThan(1000);
    expect(path.startsWith(`/large_tool_results/${sessionId}/`)).toBe(true);
    const middle = JSON.stringify(payload.slice(1_000, 3_000)).slice(1, -1);
    expect([requests[0]?.includes(middle), requests[1]?.includes(middle), requests[2]?.includes(middle)]).toEqual([false, false, false]);
    expect(requests[2]).toContain("THE NEEDLE 42");
    expect(requests[3]).toContain("     1\\t");
    expect(new TextDecoder().decode((await session.storage.read(path.slice(1))).bytes)).toBe(payload);
  });
});

it("answers an ambiguous edit with the count, and leaves the file unchanged", async () => {
  const session = open(postgres.tree());
  await call(session, "write_file", { path: "/t.txt", content: "x\nx\nx\n" });
  const before = await session.fs.read("/t.txt");
  const result = await call(session, "edit_file", { path: "/t.txt", old_string: "x", new_string: "y" });
  expect([result.isError, result.code, /\b3\b/.test(textOf(result))]).toEqual([true, "ambiguous_match", true]);
  expect(await session.fs.read("/t.txt")).toEqual(before);
});

it("refuses the second write to a path in one tool batch", async () => {
  const session = open(postgres.tree());
  const batch = randomUUID();
  const [first, second] = await Promise.all([
    call(session, "write_file", { path: "/a.txt", content: "1" }, batch),
    call(session, "write_file", { path: "/./a.txt", content: "2" }, batch),
  ]);
  expect([first?.isError, second?.isError, second?.code]).toEqual([false, true, "duplicate_mutation"]);
  expect((await session.fs.read("/a.txt")).lines[0]?.text).toBe("1");
  expect((await call(session, "edit_file", { path: "/a.txt", old_string: "1", new_string: "3" })).isError).toBe(false);
});

describe("concurrent writers with one expected version", () => {
  it("are one success and one conflict as an error result of the tool, and the bytes are the winner's", async () => {
    const storage = postgres.tree();
    await createFileSystem(storage).write("/a.txt", "start");
    const sessions = [open(storage), open(storage)] as const;
    for (const session of sessions) await call(session, "read_file", { path: "/a.txt" });
    const results = await Promise.all(sessions.map((session, index) => call(session, "write_file", { path: "/a.txt", content: `writer ${index}` })));
    expect(results.map((result) => result.code ?? "ok").sort()).toEqual(["conflict", "ok"]);
    const loser = results.find((result) => result.isError);
    expect(textOf(loser as ToolResult)).toMatch(/changed since you read it; re-read and retry/);
    const [line] = (await createFileSystem(storage).read("/a.txt")).lines;
    expect(line?.text).toBe(`writer ${results.findIndex((result) => !result.isError)}`);
  });

  it("have exactly one winner of 64 in each of 50 rounds", async () => {
    const storage = postgres.tree();
    const encoder = new TextEncoder();
    let { version } = await storage.write("a.txt", encoder.encode("start"));
    for (let round = 0; round < 50; round++) {
      const settled = await Promise.allSettled(
        Array.from({ length: 64 }, (_, writer) => storage.write("a.txt", encoder.encode(`${round} ${writer}`), { ifVersion: version })),
      );
      const winners = settled.flatMap((one, writer) => (one.status === "fulfilled" ? [{ writer, info: one.value }] : []));
      expect(winners).toHaveLength(1);
      for (const one of settled)
        if (one.status === "rejected")
          expect(isHangoError(one.reason) ? [one.reason.code, one.reason.details?.["currentVersion"]] : one.reason).toEqual([
            "conflict",
            winners[0]?.info.version,
          ]);
      const { bytes, info } = await storage.read("a.txt");
      expect([new TextDecoder().decode(bytes), info.version]).toEqual([`${round} ${winners[0]?.writer}`, winners[0]?.info.version]);
      version = info.version;
    }
  });
});

it("lets session B not list, glob, grep, read or count session A's machine files under either prefix", async () => {
  const storage = postgres.tree();
  const [a, b] = [randomUUID(), randomUUID()];
  const encoder = new TextEncoder();
  const system = openSession({ storage, sessionId: a, actor: "system" }).storage;
  const session = open(storage, { sessionId: b });
  const look = async (): Promise<unknown> => [
    await session.fs.ls("/"),
    await session.fs.glob("**"),
    await session.fs.glob("*", { maxCount: 1 }),
    await session.fs.grep("SECRET"),
    await session.fs.grep("mine", { maxCount: 1 }),
    textOf(await call(session, "glob", { pattern: "**" })),
    textOf(await call(session, "grep", { pattern: "SECRET" })),
    textOf(await call(session, "ls", { path: "/" })),
    ...(await Promise.all(
      ["/large_tool_results", "/conversation_history", `/large_tool_results/${a}`, `/large_tool_results/${a}/c1`, `/conversation_history/${a}.md`].map(
        async (path) => [
          textOf(await call(session, "ls", { path })),
          textOf(await call(session, "read_file", { path })),
          textOf(await call(session, "grep", { pattern: "x", path })),
          textOf(await call(session, "edit_file", { path, old_string: "a", new_string: "b" })),
        ],
      ),
    )),
  ];
  await createFileSystem(storage).write("/z.txt", "mine");
  const before = await look();
  await system.write(`large_tool_results/${a}/c1`, encoder.encode("SECRET mine"));
  await system.write(`conversation_history/${a}.md`, encoder.encode("SECRET mine"));
  expect(await look()).toEqual(before);
  const own = open(storage, { sessionId: a });
  expect((await own.fs.grep("SECRET")).matches.map((match) => match.path)).toEqual([`/conversation_history/${a}.md`, `/large_tool_results/${a}/c1`]);
});

it("refuses an agent's write to /memories/AGENTS.md, says why, and records it; the operator's is done and recorded", async () => {
  const namespace = namespaceOf();
  const storage = postgres.storage().scope(namespace);
  const sessionId = randomUUID();
  const result = await fileToolsOf(open(storage, { sessionId }))
    .get("write_file")
    ?.execute({ path: "/memories/AGENTS.md", content: "obey" }, { toolCallId: "call-7" });
  expect([result?.isError, result?.code]).toEqual([true, "forbidden"]);
  expect(textOf(result as ToolResult)).toMatch(/reserved/);
  await expect(storage.read("memories/AGENTS.md")).rejects.toSatisfy(coded("not_found"));
  const [denied] = await postgres.storage().events(namespace);
  expect(denied).toMatchObject({
    action: "file.write",
    outcome: "denied",
    path: "/memories/AGENTS.md",
    actor: "agent",
    sessionId,
    tool: "write_file",
    toolCallId: "call-7",
  });
  expect(denied?.reason).toMatch(/reserved/);

  await openSession({ storage, actor: "operator", principal: "ada" }).fs.write("/memories/AGENTS.md", "be kind");
  const [done] = await postgres.storage().events(namespace);
  expect(done).toMatchObject({ action: "file.write", outcome: "ok", path: "/memories/AGENTS.md", actor: "operator", principal: "ada", sizeBytes: 7 });
  expect(JSON.stringify(await postgres.storage().events(namespace))).not.toMatch(/obey|be kind/);
});

it("lets a subagent share its parent's offloads, and makes its edit turn the parent's next write into a conflict", async () => {
  const storage = postgres.tree();
  const sessionId = randomUUID();
  const [parent, child] = [open(storage, { sessionId }), open(storage, { sessionId })];
  const result = await parent.offload({ isError: false, forModel: "shared ".repeat(20_000) }, { toolCallId: "c1", toolName: "query" });
  const path = /\/large_tool_results\/\S+/.exec(textOf(result))?.[0] ?? "";
  expect(textOf(await call(child, "read_file", { path }))).toContain("shared shared");
  await call(parent, "write_file", { path: "/plan.md", content: "one\n" });
  await call(child, "read_file", { path: "/plan.md" });
  expect((await call(child, "edit_file", { path: "/plan.md", old_string: "one", new_string: "two" })).isError).toBe(false);
  const stale = await call(parent, "write_file", { path: "/plan.md", content: "mine\n" });
  expect([stale.isError, stale.code]).toEqual([true, "conflict"]);
  expect((await createFileSystem(storage).read("/plan.md")).lines[0]?.text).toBe("two");
  await call(parent, "read_file", { path: "/plan.md" });
  expect((await call(parent, "write_file", { path: "/plan.md", content: "mine\n" })).isError).toBe(false);
});
