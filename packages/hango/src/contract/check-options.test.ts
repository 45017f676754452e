import { describe, expect, it } from "vitest";
import type { CallOptions, Mutation, Origin, Storage, WriteOptions } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { defineStorage } from "./define-storage.ts";
import { rawStorage } from "./raw.test-support.ts";

const bytes = new Uint8Array([65]);

describe("an empty content type", () => {
  it("reaches no implementation, where a database kept it", async () => {
    const seen: (WriteOptions | Mutation)[] = [];
    const inner = memoryStorage();
    const storage = defineStorage(
      rawStorage({
        write: (path, content, options = {}) => {
          seen.push(options);
          return inner.write(path, content, options);
        },
        apply: async (mutations) => {
          seen.push(...mutations);
          return (await inner.apply?.(mutations)) ?? [];
        },
      }),
    );
    const given = { contentType: "", ifVersion: "absent" };
    await storage.write("k.md", bytes, given);
    await storage.apply?.([
      { kind: "modify", path: "k.md", bytes, contentType: "" },
      { kind: "create", path: "n.md", bytes, contentType: "" },
    ]);
    expect(seen).toHaveLength(3);
    expect(seen.filter((one) => "contentType" in one)).toEqual([]);
    expect(seen[0]).toEqual({ ifVersion: "absent" });
    expect(given.contentType).toBe("");
  });
});

describe("an origin", () => {
  const page = { offset: 1, limit: 1, column: 1, maxLineChars: 1 };
  const operations: readonly [string, (storage: Storage, call: CallOptions) => Promise<unknown> | undefined][] = [
    ["list", (storage, call) => storage.list(call)],
    ["read", (storage, call) => storage.read("a", call)],
    ["write", (storage, call) => storage.write("a", bytes, call)],
    ["delete", (storage, call) => storage.delete("a", call)],
    ["stat", (storage, call) => storage.stat("a", call)],
    ["ls", (storage, call) => storage.ls("", call)],
    ["lines", (storage, call) => storage.lines("a", { ...page, ...call })],
    ["glob", (storage, call) => storage.glob({ pattern: parseGlob("*"), root: "", limit: 1, ...call })],
    ["grep", (storage, call) => storage.grep({ pattern: parsePattern("A"), root: "", context: 0, limit: 1, ...call })],
    ["search", (storage, call) => storage.search?.paths("A", call)],
    ["apply", (storage, call) => storage.apply?.([{ kind: "modify", path: "a", bytes }], call)],
    ["record", (storage, call) => storage.record?.({ action: "file.write", outcome: "denied", path: "a" }, call)],
  ];

  async function open(): Promise<Storage> {
    const { list, read, write, delete: remove, apply, search } = memoryStorage();
    await write("a", bytes);
    return defineStorage({ name: "recording", list, read, write, delete: remove, apply, search, record: async () => undefined });
  }

  it.each(operations)("is checked by %s: a call id of a megabyte was stored beside every quota, one that is no text was an internal error", async (_, run) => {
    const storage = await open();
    const wrong: readonly [string, unknown][] = [
      ["actor", { actor: "root" }],
      ["actor", {}],
      ["actor", null],
      ["actor", "agent"],
      ["toolCallId", { actor: "agent", toolCallId: "x".repeat(1_000_000) }],
      ["toolCallId", { actor: "agent", toolCallId: "x".repeat(513) }],
      ["toolCallId", { actor: "agent", toolCallId: { id: 1 } }],
      ["sessionId", { actor: "agent", sessionId: 7 }],
      ["principal", { actor: "agent", principal: null }],
      ["tool", { actor: "agent", tool: "\u{1F600}".repeat(513) }],
    ];
    for (const [part, origin] of wrong)
      await expect(run(storage, { origin: origin as Origin })).rejects.toMatchObject({
        code: "invalid_argument",
        message: expect.stringContaining(`origin.${part}`),
      });
    await run(storage, { origin: { actor: "system", tool: "\u{1F600}".repeat(512), toolCallId: "call\0\ud800", principal: "" } });
  });

  it('is looked for in an object only: "Cannot destructure property of null"', async () => {
    const storage = await open();
    const none = null as never;
    const calls: readonly (() => Promise<unknown> | undefined)[] = [
      () => storage.list(none),
      () => storage.read("a", none),
      () => storage.write("a", bytes, none),
      () => storage.delete("a", none),
      () => storage.stat("a", none),
      () => storage.ls("", none),
      () => storage.lines("a", none),
      () => storage.glob(none),
      () => storage.grep(none),
      () => storage.search?.paths("A", none),
      () => storage.apply?.([{ kind: "modify", path: "a", bytes }], none),
      () => storage.record?.({ action: "file.write", outcome: "denied", path: "a" }, none),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "invalid_argument" });
  });
});
