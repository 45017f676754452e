import { describe, expect, it, vi } from "vitest";
import { defineStorage } from "../../contract/define-storage.ts";
import { HangoError, isHangoError } from "../../errors.ts";
import { resolveLimits } from "../../limits.ts";
import { uuidFor } from "../../path/uuid.ts";
import { memoryStorage } from "../../storages/memory.ts";
import type { FileEvent, PathFilter, Storage } from "../../storage.ts";
import { guardStorage, type Permission, type Policy } from "../guard.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const guarded = (storage: Storage, policy: Policy): Storage =>
  guardStorage(storage, { actor: "agent", sessionId: uuidFor("s1"), limits: resolveLimits(), policy });
const askAll: readonly Permission[] = [{ operations: ["read", "write"], paths: ["/"], mode: "ask" }];

async function failure(run: () => Promise<unknown>): Promise<HangoError> {
  try {
    await run();
  } catch (error) {
    if (isHangoError(error)) return error;
    throw error;
  }
  throw new Error("it was done");
}

async function holding(files: Readonly<Record<string, string>>): Promise<Storage> {
  const storage = memoryStorage();
  for (const [path, text] of Object.entries(files)) await storage.write(path, bytes(text));
  return storage;
}

describe("no policy opens another spelling of a reserved name", () => {
  for (const reservedWrites of ["allow", "ask"] as const)
    it(`${reservedWrites}: "an agent made the file /memories, and the directory was gone for good"`, async () => {
      const storage = memoryStorage();
      const guard = guarded(storage, { reservedWrites, approve: async () => true });
      for (const path of ["memories", "Memories", "MEMORIES/m.md", "skills", "sKills/s.md"]) {
        const { code, message } = await failure(() => guard.write(path, bytes("x")));
        expect([path, code]).toEqual([path, "forbidden"]);
        expect(message).toContain("its bare name or another spelling of it. Write below");
      }
      await guard.write("memories/m.md", bytes("x"));
      expect((await storage.list()).map(({ path }) => path)).toEqual(["memories/m.md"]);
    });
});

describe("an approval", () => {
  it('is a plain true and nothing else: "approve answered { approved: false } and the file was written"', async () => {
    for (const answer of [{ approved: false }, "no", 1, undefined, null, false]) {
      const storage = await holding({ a: "secret" });
      const guard = guarded(storage, { permissions: askAll, approve: async () => answer as boolean });
      for (const run of [() => guard.write("b", bytes("x")), () => guard.delete("a"), () => guard.read("a")])
        expect((await failure(run)).code).toBe("forbidden");
      expect((await storage.list()).map(({ path }) => path)).toEqual(["a"]);
    }
  });

  it("that can't be asked for is `unavailable`, and not the storage's fault: 'The storage \"memory\" could not write'", async () => {
    const guard = guarded(await holding({ a: "x" }), { permissions: askAll, approve: () => Promise.reject(new Error("hooks.slack.com down")) });
    for (const [what, run] of [
      ["write", () => guard.write("b", bytes("x"))],
      ["read", () => guard.read("a")],
    ] as const) {
      const { code, message } = await failure(run);
      expect([code, message]).toEqual([
        "unavailable",
        `No one could be asked for the approval that this ${what} needs, so it was not done. Retry in a moment.`,
      ]);
    }
  });

  it("passes on an error of its own, and an abort while it waits", async () => {
    const timeout = new HangoError("timeout", "No one answered.");
    expect(await failure(() => guarded(memoryStorage(), { permissions: askAll, approve: () => Promise.reject(timeout) }).write("b", bytes("x")))).toBe(timeout);
    const controller = new AbortController();
    const approve = async (): Promise<boolean> => {
      controller.abort(new Error("stop"));
      return true;
    };
    const storage = memoryStorage();
    await expect(guarded(storage, { permissions: askAll, approve }).write("b", bytes("x"), { signal: controller.signal })).rejects.toThrow(/^stop$/);
    expect(await storage.list()).toEqual([]);
  });

  it("is not asked for a change that fails anyway", async () => {
    const storage = await holding({ a: "1" });
    const stale = (await storage.list())[0]?.version ?? "";
    await storage.write("a", bytes("2"));
    const asked: string[] = [];
    const guard = guarded(storage, {
      permissions: askAll,
      approve: async ({ path }) => {
        asked.push(path);
        return true;
      },
    });
    const codes = [
      () => guard.write("a", bytes("3"), { ifVersion: stale }),
      () => guard.write("a", bytes("3"), { ifVersion: "absent" }),
      () => guard.write("gone", bytes("3"), { ifVersion: stale }),
      () => guard.delete("a", { ifVersion: stale }),
      () => guard.delete("gone", { ifVersion: stale }),
      () => guard.delete("gone"),
      () => guard.apply?.([{ kind: "modify", path: "gone", bytes: bytes("3") }]) ?? Promise.resolve(),
      () => guard.apply?.([{ kind: "create", path: "a", bytes: bytes("3") }]) ?? Promise.resolve(),
    ].map(async (run) => (await failure(run)).code);
    expect(await Promise.all(codes)).toEqual(["conflict", "already_exists", "conflict", "conflict", "conflict", "not_found", "conflict", "already_exists"]);
    expect(asked).toEqual([]);
    await guard.write("a", bytes("3"));
    await guard.apply?.([{ kind: "modify", path: "a", bytes: bytes("4") }]);
    expect(asked).toEqual(["/a", "/a"]);
  });
});

it("a refusal of a path at its full length stays forbidden, and is recorded with its reason cut", async () => {
  const rows: FileEvent[] = [];
  const { list, read, write, delete: remove, apply } = await holding({});
  const storage = defineStorage({ name: "recording", list, read, write, delete: remove, apply, record: async (event) => void rows.push(event) });
  const path = `memories/${"a".repeat(250)}/${"b".repeat(250)}`;
  expect((await failure(() => guarded(storage, {}).write(path, bytes("x")))).code).toBe("forbidden");
  expect(rows.map((row) => [row.outcome, row.path, [...(row.reason ?? "")].length])).toEqual([["denied", path, 512]]);
});

describe("a reserved change that the policy opened", () => {
  it('and that fails is on record as failed: "an ok row for a memory that was never written"', async () => {
    const rows: FileEvent[] = [];
    const { list, read, write, delete: remove, apply } = await holding({ "memories/m.md": "1" });
    const storage = defineStorage({ name: "recording", list, read, write, delete: remove, apply, record: async (event) => void rows.push(event) });
    const guard = guarded(storage, { reservedWrites: "allow" });
    const code = async (run: () => Promise<unknown>): Promise<string> => (await failure(run)).code;
    expect(await code(() => guard.write("memories/m.md", bytes("2"), { ifVersion: "absent" }))).toBe("already_exists");
    expect(await code(() => guard.delete("memories/none"))).toBe("not_found");
    expect(await code(() => guard.apply?.([{ kind: "create", path: "memories/m.md", bytes: bytes("2") }]) ?? Promise.resolve())).toBe("already_exists");
    expect(rows.map(({ action, outcome, reason }) => `${action} ${outcome} ${reason ?? ""}`)).toEqual([
      "file.write failed reserved path: allowed by policy; it failed: already_exists",
      "file.delete failed reserved path: allowed by policy; it failed: not_found",
      "file.write failed reserved path: allowed by policy; it failed: already_exists",
    ]);
  });

  it('is on record only when nothing beside it is refused: "ok /memories/x, and the apply was too_large"', async () => {
    const rows: string[] = [];
    const asked: string[] = [];
    const deep = Array.from({ length: 32 }, () => "d").join("/");
    const { list, read, write, delete: remove, apply } = await holding({ "memories/x": "1", [`memories/deep/${deep.slice(0, -4)}`]: "1" });
    const record = async ({ action, outcome, path }: FileEvent): Promise<void> => void rows.push(`${action} ${outcome} ${path}`);
    const storage = defineStorage({ name: "recording", list, read, write, delete: remove, apply, record });
    const big = { kind: "create", path: "y", bytes: new Uint8Array(1024 * 1024 + 1) } as const;
    const memory = { kind: "create", path: "memories/y", bytes: bytes("2") } as const;
    const allowing = guarded(storage, { reservedWrites: "allow" });
    const asking = guarded(storage, { reservedWrites: "ask", approve: async ({ path }) => asked.push(path) > 0 });
    for (const guard of [allowing, asking]) {
      expect((await failure(() => guard.apply?.([memory, big]) ?? Promise.resolve())).code).toBe("too_large");
      expect((await failure(() => guard.apply?.([memory, { kind: "delete", path: "CONVERSATION_HISTORY" }]) ?? Promise.resolve())).code).toBe("forbidden");
    }
    const shallow = guardStorage(storage, {
      actor: "agent",
      sessionId: uuidFor("s1"),
      limits: resolveLimits({ maxPathDepth: 4 }),
      policy: { reservedWrites: "allow" },
    });
    const all = (await list()).map(({ path }) => ({ kind: "delete", path }) as const).toReversed();
    expect((await failure(() => shallow.apply?.(all) ?? Promise.resolve())).code).toBe("invalid_path");
    expect([rows, asked]).toEqual([Array.from({ length: 2 }, () => "file.delete denied CONVERSATION_HISTORY"), []]);
  });

  it('and whose failure can\'t be recorded is not said to be undone: "so it was not done", of a write with an unknown outcome', async () => {
    const { list, read, delete: remove } = memoryStorage();
    const write = (): Promise<never> => Promise.reject(new HangoError("unavailable", "Its outcome is unknown."));
    const record = (): Promise<never> => Promise.reject(new Error("down"));
    const guard = guarded(defineStorage({ name: "flaky", list, read, delete: remove, write, record }), { reservedWrites: "allow" });
    expect(await failure(() => guard.write("memories/a", bytes("x")))).toMatchObject({
      code: "unavailable",
      message: "The call failed, and that could not be recorded. Its outcome may be unknown: re-read before you retry.",
    });
  });

  it('is one row of the record, the storage\'s own: "ok, without version or size, and ok; with a stale version ok, then failed"', async () => {
    const rows: FileEvent[] = [];
    const { list, read, write, delete: remove } = await holding({});
    const storage = defineStorage({
      name: "recording",
      list,
      read,
      delete: remove,
      write: async (path, content, options) => {
        const info = await write(path, content, options);
        rows.push({ action: "file.write", outcome: "ok", path, version: info.version, sizeBytes: info.sizeBytes });
        return info;
      },
      record: async (event) => void rows.push(event),
    });
    const told = (): readonly unknown[] => rows.splice(0).map(({ outcome, version, sizeBytes, reason }) => [outcome, version, sizeBytes, reason]);
    for (const policy of [{ reservedWrites: "allow" }, { reservedWrites: "ask", approve: async () => true }] as const) {
      const guard = guarded(storage, policy);
      const { version } = await guard.write("memories/a.md", bytes("1"));
      expect(told()).toEqual([["ok", version, 1, undefined]]);
    }
    const allowing = guarded(storage, { reservedWrites: "allow" });
    expect((await failure(() => allowing.write("memories/a.md", bytes("2"), { ifVersion: "stale" }))).code).toBe("conflict");
    expect(told()).toEqual([["failed", undefined, undefined, "reserved path: allowed by policy; it failed: conflict"]]);
  });
});

describe("permissions", () => {
  it('refuse a pattern, which would protect nothing: "/secret/** was denied and read"', () => {
    const rule = (paths: unknown): Policy => ({ permissions: [{ operations: ["read"], paths: paths as string[], mode: "deny" }] });
    for (const paths of [["/secret/**"], ["/a.md", "/*.key"]]) expect(() => guarded(memoryStorage(), rule(paths))).toThrow("a rule takes no pattern");
    expect(() => guarded(memoryStorage(), rule("/secret/"))).toThrow("policy.permissions[0] names no path");
    expect(() => guarded(memoryStorage(), { permissions: {} as never })).toThrow("must be a list");
  });

  it('tell a search what it left out, as they tell a grep: "No file matches" for a file that needs approval', async () => {
    const guard = guarded(await holding({ "p/x": "needle" }), { permissions: [{ operations: ["read"], paths: ["/p/"], mode: "ask" }] });
    const skipped: string[] = [];
    expect(await guard.search?.paths("needle", { onSkip: (path) => skipped.push(path) })).toEqual([]);
    expect(skipped).toEqual(["p"]);
  });

  it('are looked up, never walked: "20,000 files, 5,000 paths: one glob took 24 s"', async () => {
    const storage = await holding(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`src/d${index % 20}/f${index}.ts`, "x"])));
    const steps = async (paths: readonly string[]): Promise<number> => {
      const guard = guarded(storage, { permissions: [{ operations: ["read", "write"], paths, mode: "deny" }] });
      let count = 0;
      const spies = [vi.spyOn(String.prototype, "startsWith"), vi.spyOn(Set.prototype, "has"), vi.spyOn(Map.prototype, "get")] as const;
      try {
        expect(await guard.list()).toHaveLength(200);
        expect(await guard.ls("src")).toHaveLength(20);
        await guard.read("src/d1/f1.ts");
        await guard.write("src/d1/f1.ts", bytes("x"));
        count = spies.reduce((total, spy) => total + spy.mock.calls.length, 0);
      } finally {
        for (const spy of spies) spy.mockRestore();
      }
      return count;
    };
    const leftOut = (count: number): readonly string[] =>
      Array.from({ length: count }, (_, index) => `/src/d${index % 20}/out${index}`).flatMap((path) => [path, `${path}/`]);
    // The spies hear everybody, so a few calls more or less are nobody's fault.
    expect(await steps(leftOut(5_000))).toBeLessThan(2 * (await steps(leftOut(100))) + 1_000);
  });

  it("that follow each other are one filter, and an earlier rule that lets a path through stays its exception", async () => {
    const { list, read, write, delete: remove } = await holding({ a1: "", a2: "", b1: "", b2: "", c: "" });
    let asked: readonly PathFilter[] = [];
    const seeing = defineStorage({
      name: "seeing",
      read,
      write,
      delete: remove,
      list: (options) => {
        asked = options?.filters ?? [];
        return list(options);
      },
    });
    const rule = (mode: Permission["mode"], path: string): Permission => ({ operations: ["read"], paths: [path], mode });
    const rules = [
      rule("deny", "/a1"),
      rule("deny", "/a2"),
      rule("allow", "/b1"),
      rule("deny", "/b1"),
      rule("deny", "/b2"),
      rule("allow", "/a1"),
      rule("ask", "/c"),
    ];
    const guard = guarded(seeing, { permissions: rules });
    expect((await guard.list()).map(({ path }) => path)).toEqual(["b1", "c"]);
    expect(asked).toHaveLength(3);
    const codes = await Promise.all(
      ["a1", "a2", "b1", "b2", "c"].map(async (path) =>
        guard.read(path).then(
          () => "ok",
          (error: HangoError) => error.code,
        ),
      ),
    );
    expect(codes).toEqual(["forbidden", "forbidden", "ok", "forbidden", "forbidden"]);
  });
});
