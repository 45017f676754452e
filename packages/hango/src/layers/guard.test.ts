import { describe, expect, it } from "vitest";
import { defineStorage } from "../contract/define-storage.ts";
import { isHangoError, type ErrorCode } from "../errors.ts";
import { resolveLimits } from "../limits.ts";
import { uuidFor } from "../path/uuid.ts";
import { memoryStorage } from "../storages/memory.ts";
import type { FileEvent, Origin, Storage } from "../storage.ts";
import { guardStorage, type GuardOptions, type Policy } from "./guard.ts";

const s1 = uuidFor("s1");
const s2 = uuidFor("s2");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const limits = resolveLimits({ maxFileBytes: 100, maxOffloadBytes: 200 });

function guarded(storage: Storage, options: Partial<GuardOptions> = {}): Storage {
  return guardStorage(storage, { actor: "agent", sessionId: s1, limits, ...options });
}

/** The code that a call fails with, or "ok". */
async function outcome(run: () => Promise<unknown>): Promise<ErrorCode | "ok"> {
  try {
    await run();
    return "ok";
  } catch (error) {
    if (isHangoError(error)) return error.code;
    throw error;
  }
}

async function seeded(): Promise<Storage> {
  const storage = memoryStorage();
  for (const path of [
    "docs/a.md",
    "memories/m.md",
    "skills/s.md",
    `large_tool_results/${s1}/mine`,
    `large_tool_results/${s2}/theirs`,
    `conversation_history/${s1}.md`,
    `conversation_history/${s2}.md`,
    "Large_Tool_Results/x",
  ])
    await storage.write(path, bytes(`needle in ${path}`));
  return storage;
}

/** A memory storage with a record that a test can read. */
function recorded(inner: Storage): { readonly storage: Storage; readonly rows: { readonly event: FileEvent; readonly origin: Origin | undefined }[] } {
  const rows: { event: FileEvent; origin: Origin | undefined }[] = [];
  const { list, read, write, delete: remove, apply, search } = inner;
  const storage = defineStorage({
    name: "recorded",
    list,
    read,
    write: async (path, content, options) => {
      const info = await write(path, content, options);
      rows.push({ event: { action: "file.write", outcome: "ok", path }, origin: options?.origin });
      return info;
    },
    delete: remove,
    apply,
    search,
    record: async (event, options) => {
      rows.push({ event, origin: options?.origin });
    },
  });
  return { storage, rows };
}

describe("the table of actors", () => {
  const table: readonly (readonly [string, Partial<GuardOptions>, Record<string, readonly [read: string, write: string]>])[] = [
    [
      "agent",
      { actor: "agent" },
      {
        "docs/a.md": ["ok", "ok"],
        "memories/m.md": ["ok", "forbidden"],
        "skills/s.md": ["ok", "forbidden"],
        memories: ["not_a_file", "forbidden"],
        "Memories/m.md": ["not_found", "forbidden"],
        "SKILLS/new.md": ["not_found", "forbidden"],
        "memories2/m.md": ["not_found", "ok"],
        "docs/memories/m.md": ["not_found", "ok"],
        [`large_tool_results/${s1}/mine`]: ["ok", "forbidden"],
        [`large_tool_results/${s1}/new`]: ["not_found", "forbidden"],
        [`large_tool_results/${s2}/theirs`]: ["not_found", "forbidden"],
        [`large_tool_results/${s2}/new`]: ["not_found", "forbidden"],
        [`conversation_history/${s1}.md`]: ["ok", "forbidden"],
        [`conversation_history/${s2}.md`]: ["not_found", "forbidden"],
        large_tool_results: ["not_a_file", "forbidden"],
        "Large_Tool_Results/x": ["not_found", "forbidden"],
        CONVERSATION_HISTORY: ["not_found", "forbidden"],
      },
    ],
    [
      "operator without a session",
      { actor: "operator", sessionId: undefined as never },
      {
        "docs/a.md": ["ok", "forbidden"],
        "memories/m.md": ["ok", "ok"],
        "skills/new.md": ["not_found", "ok"],
        "Memories/m.md": ["not_found", "forbidden"],
        [`large_tool_results/${s1}/mine`]: ["not_found", "forbidden"],
        large_tool_results: ["not_found", "forbidden"],
      },
    ],
    [
      "operator of a session",
      { actor: "operator" },
      { [`large_tool_results/${s1}/mine`]: ["ok", "forbidden"], [`large_tool_results/${s2}/theirs`]: ["not_found", "forbidden"] },
    ],
    [
      "system",
      { actor: "system" },
      {
        "docs/a.md": ["not_found", "forbidden"],
        "memories/m.md": ["not_found", "forbidden"],
        [`large_tool_results/${s1}/new`]: ["not_found", "ok"],
        [`large_tool_results/${s2}/theirs`]: ["not_found", "forbidden"],
        [`conversation_history/${s1}.md`]: ["ok", "ok"],
        [`large_tool_results/${s1}`]: ["not_a_file", "forbidden"],
      },
    ],
  ];
  for (const [who, options, paths] of table) {
    it(`holds for ${who}`, async () => {
      for (const [path, [read, write]] of Object.entries(paths)) {
        const { sessionId, ...rest } = { sessionId: s1, ...options };
        const guard = guardStorage(await seeded(), { actor: "agent", limits, ...rest, ...(sessionId === undefined ? {} : { sessionId }) });
        expect([path, await outcome(() => guard.read(path)), await outcome(() => guard.write(path, bytes("x")))]).toEqual([path, read, write]);
        if (write === "forbidden")
          expect([path, await outcome(() => guard.delete(path)), await outcome(async () => guard.apply?.([{ kind: "delete", path }]))]).toEqual([
            path,
            "forbidden",
            "forbidden",
          ]);
      }
    });
  }

  it("says why a reserved path and a machine path can't be changed", async () => {
    const guard = guarded(await seeded());
    await expect(guard.write("memories/m.md", bytes("x"))).rejects.toThrow(
      "/memories/m.md can't be changed by the agent: /memories/ and /skills/ are reserved, because they are read into later prompts.",
    );
    await expect(guard.delete(`large_tool_results/${s1}/mine`)).rejects.toThrow("is written only by the system");
  });
});

describe("another session's machine files", () => {
  it("do not exist in any answer: the two answers are byte for byte equal with and without them", async () => {
    const bare = memoryStorage();
    await bare.write("docs/a.md", bytes("needle in docs/a.md"));
    await bare.write(`large_tool_results/${s1}/mine`, bytes("needle"));
    const full = memoryStorage();
    for (const { path } of await bare.list()) await full.write(path, (await bare.read(path)).bytes);
    await full.write(`large_tool_results/${s2}/theirs`, bytes("needle"));
    await full.write(`conversation_history/${s2}.md`, bytes("needle"));
    const answers = async (storage: Storage): Promise<unknown> => {
      const guard = guarded(storage);
      const tell = async (run: () => Promise<unknown>): Promise<unknown> => {
        try {
          return JSON.parse(JSON.stringify(await run(), (key, value: unknown) => (["version", "createdAt", "updatedAt"].includes(key) ? 0 : value)) ?? "null");
        } catch (error) {
          return String(error);
        }
      };
      const hidden = `large_tool_results/${s2}/theirs`;
      return Promise.all([
        tell(() => guard.list()),
        tell(() => guard.list({ limit: 2 })),
        tell(() => guard.ls("")),
        tell(() => guard.ls("large_tool_results")),
        tell(() => guard.ls("conversation_history")),
        tell(() => guard.stat(hidden)),
        tell(() => guard.stat("conversation_history")),
        tell(() => guard.read(hidden)),
        tell(() => guard.lines(hidden, { offset: 1, limit: 1, column: 1, maxLineChars: 10 })),
        tell(() => guard.write(hidden, bytes("x"))),
        tell(() => guard.delete(hidden)),
        tell(async () => guard.search?.paths("needle")),
      ]);
    };
    expect(await answers(full)).toEqual(await answers(bare));
  });
});

describe("what passes the guard", () => {
  it("carries the guard's actor, session and principal, and the call's own tool", async () => {
    const { storage, rows } = recorded(memoryStorage());
    const guard = guarded(storage, { principal: "ada" });
    await guard.write("a.md", bytes("x"), { origin: { actor: "system", sessionId: s2, tool: "write_file", toolCallId: "c1" } });
    expect(rows.map(({ origin }) => origin)).toEqual([{ actor: "agent", sessionId: s1, principal: "ada", tool: "write_file", toolCallId: "c1" }]);
  });

  it("is at most maxFileBytes for an agent and maxOffloadBytes for the system", async () => {
    const storage = await seeded();
    const sizes = async (guard: Storage, path: string, max: number): Promise<readonly string[]> =>
      Promise.all([max - 1, max, max + 1].map((size) => outcome(() => guard.write(`${path}${size}`, new Uint8Array(size).fill(97)))));
    expect(await sizes(guarded(storage), "docs/n", 100)).toEqual(["ok", "ok", "too_large"]);
    expect(await sizes(guarded(storage, { actor: "operator" }), "memories/n", 100)).toEqual(["ok", "ok", "too_large"]);
    expect(await sizes(guarded(storage, { actor: "system" }), `large_tool_results/${s1}/n`, 200)).toEqual(["ok", "ok", "too_large"]);
    expect(await outcome(async () => guarded(storage).apply?.([{ kind: "create", path: "docs/big", bytes: new Uint8Array(101) }]))).toBe("too_large");
  });

  it("is at most maxPathDepth deep", async () => {
    const guard = guarded(memoryStorage(), { limits: resolveLimits({ maxPathDepth: 3 }) });
    expect([await outcome(() => guard.write("a/b/c", bytes(""))), await outcome(() => guard.write("a/b/c/d", bytes("")))]).toEqual(["ok", "invalid_path"]);
  });

  it("is all of an apply or nothing: one forbidden path stops the rest", async () => {
    const storage = await seeded();
    const guard = guarded(storage);
    expect(
      await outcome(async () =>
        guard.apply?.([
          { kind: "create", path: "docs/new.md", bytes: bytes("x") },
          { kind: "delete", path: "memories/m.md" },
        ]),
      ),
    ).toBe("forbidden");
    expect((await storage.list({ prefix: "docs" })).map(({ path }) => path)).toEqual(["docs/a.md"]);
  });
});

describe("a refusal", () => {
  it("is recorded as denied before it is thrown", async () => {
    const { storage, rows } = recorded(memoryStorage());
    const guard = guarded(storage);
    expect(await outcome(() => guard.write("memories/a.md", bytes("x"), { origin: { actor: "agent", toolCallId: "c9" } }))).toBe("forbidden");
    expect(await outcome(() => guard.delete(`large_tool_results/${s2}/x`))).toBe("forbidden");
    const [written, deleted] = rows;
    expect(written).toMatchObject({
      event: { action: "file.write", outcome: "denied", path: "memories/a.md" },
      origin: { actor: "agent", sessionId: s1, toolCallId: "c9" },
    });
    expect(written?.event.reason).toContain("are reserved");
    expect(deleted).toMatchObject({ event: { action: "file.delete", outcome: "denied", path: `large_tool_results/${s2}/x` } });
  });

  it("answers unavailable when it can't be recorded", async () => {
    const { list, read, write, delete: remove } = memoryStorage();
    const deaf = defineStorage({ name: "deaf", list, read, write, delete: remove, record: () => Promise.reject(new Error("disk full at /var/lib")) });
    const guard = guarded(deaf);
    const failure = await guard.write("memories/a.md", bytes("x")).catch((error: unknown) => error);
    expect(isHangoError(failure, "unavailable")).toBe(true);
    expect(String(failure)).not.toContain("/var/lib");
  });
});

describe("a policy for reserved paths", () => {
  const asking = (answer: boolean): { readonly policy: Policy; readonly asked: unknown[] } => {
    const asked: unknown[] = [];
    return {
      asked,
      policy: {
        reservedWrites: "ask",
        approve: async (request) => {
          asked.push(request);
          return answer;
        },
      },
    };
  };

  it("asks with a diff, and writes only over what was shown", async () => {
    const storage = await seeded();
    const { policy, asked } = asking(true);
    const guard = guarded(storage, { policy });
    await guard.write("memories/m.md", bytes("other\n"));
    expect(asked).toEqual([{ operation: "write", path: "/memories/m.md", diff: expect.stringContaining("+other") as string }]);
    const racing = guarded(storage, {
      policy: {
        reservedWrites: "ask",
        approve: async () => {
          await storage.write("memories/m.md", bytes("by someone else"));
          return true;
        },
      },
    });
    expect(await outcome(() => racing.write("memories/m.md", bytes("late")))).toBe("conflict");
    expect(await outcome(() => racing.delete("memories/m.md"))).toBe("conflict");
  });

  it("refuses and records when the answer is no, and when no one can be asked", async () => {
    const { storage, rows } = recorded(await seeded());
    expect(await outcome(() => guarded(storage, { policy: asking(false).policy }).write("memories/m.md", bytes("x")))).toBe("forbidden");
    expect(await outcome(() => guarded(storage, { policy: { reservedWrites: "ask" } }).write("skills/s.md", bytes("x")))).toBe("forbidden");
    expect(rows.map(({ event }) => event.outcome)).toEqual(["denied", "denied"]);
  });

  it("leaves the record of what it let through to the storage", async () => {
    const { storage, rows } = recorded(memoryStorage());
    await guarded(storage, { policy: { reservedWrites: "allow" } }).write("memories/m.md", bytes("x"));
    expect(rows).toEqual([{ event: { action: "file.write", outcome: "ok", path: "memories/m.md" }, origin: { actor: "agent", sessionId: s1 } }]);
  });

  it("never opens machine paths", async () => {
    const guard = guarded(await seeded(), {
      policy: { reservedWrites: "allow", permissions: [{ operations: ["read", "write"], paths: ["/"], mode: "allow" }] },
    });
    expect([
      await outcome(() => guard.write(`large_tool_results/${s1}/x`, bytes(""))),
      await outcome(() => guard.read(`large_tool_results/${s2}/theirs`)),
    ]).toEqual(["forbidden", "not_found"]);
  });
});

describe("permissions", () => {
  async function tree(): Promise<Storage> {
    const storage = memoryStorage();
    for (const path of ["src/a.ts", "src/secret/k.ts", "src/secret/open.ts", "readme.md", `large_tool_results/${s1}/r`])
      await storage.write(path, bytes("needle"));
    return storage;
  }
  const rules: NonNullable<Policy["permissions"]> = [
    { operations: ["read"], paths: ["/src/secret/open.ts"], mode: "allow" },
    { operations: ["read", "write"], paths: ["/src/secret/"], mode: "deny" },
    { operations: ["write"], paths: ["/readme.md"], mode: "ask" },
    { operations: ["read"], paths: ["/src/a.ts"], mode: "ask" },
  ];

  it("decide by the first rule that matches", async () => {
    const guard = guarded(await tree(), { policy: { permissions: rules } });
    expect(await outcome(() => guard.read("src/secret/open.ts"))).toBe("ok");
    expect(await outcome(() => guard.read("src/secret/k.ts"))).toBe("forbidden");
    expect(await outcome(() => guard.write("src/secret/open.ts", bytes("x")))).toBe("forbidden");
    expect(await outcome(() => guard.write("readme.md", bytes("x")))).toBe("forbidden");
    expect(await outcome(() => guard.write("other.md", bytes("x")))).toBe("ok");
    expect(await outcome(() => guard.read("src/a.ts"))).toBe("forbidden");
  });

  it("hide denied files from listings, and files that need approval from searches through content", async () => {
    const guard = guarded(await tree(), { policy: { permissions: rules } });
    expect((await guard.list()).map(({ path }) => path)).toEqual([`large_tool_results/${s1}/r`, "readme.md", "src/a.ts", "src/secret/open.ts"]);
    expect(await guard.search?.paths("needle")).toEqual([`large_tool_results/${s1}/r`, "readme.md", "src/secret/open.ts"]);
  });

  it("leave the session's own results readable under a rule that denies everything", async () => {
    const guard = guarded(await tree(), { policy: { permissions: [{ operations: ["read", "write"], paths: ["/"], mode: "deny" }] } });
    expect((await guard.list()).map(({ path }) => path)).toEqual([`large_tool_results/${s1}/r`]);
    expect([await outcome(() => guard.read(`large_tool_results/${s1}/r`)), await outcome(() => guard.read("readme.md"))]).toEqual(["ok", "forbidden"]);
  });

  it("refuse rules that can't mean what they say", () => {
    for (const rule of [
      { operations: [], paths: ["/"], mode: "deny" },
      { operations: ["read"], paths: ["src/"], mode: "deny" },
      { operations: ["read"], paths: ["/"], mode: "no" },
      { operations: ["read"], paths: [], mode: "deny" },
    ])
      expect(() => guarded(memoryStorage(), { policy: { permissions: [rule as never] } })).toThrow();
  });
});

it("takes only what defineStorage made, and does not close what it does not own", () => {
  expect(() => guarded({} as Storage)).toThrow("defineStorage");
  expect(guarded(memoryStorage()).close).toBeUndefined();
});
