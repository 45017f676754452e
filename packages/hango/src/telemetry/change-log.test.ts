import { describe, expect, it } from "vitest";
import type { Logger, LogRecord } from "@opentelemetry/api-logs";
import { defineStorage } from "../contract/define-storage.ts";
import { deleteChecked } from "../fs/delete.ts";
import { uuidFor } from "../path/uuid.ts";
import { openSession } from "../session/session.ts";
import type { Session } from "../session/vocabulary.ts";
import type { Mutation, Storage } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { MAX_SIZED_CHANGES } from "./change-log.ts";
import { withTelemetry } from "./with-telemetry.ts";

interface Watched {
  readonly session: Session;
  readonly inner: Storage;
  /** How often the storage was asked since the last time this was called. */
  readonly asked: () => { readonly list: number; readonly stat: number };
  readonly lines: () => readonly string[];
}

function watched({ enabled = true } = {}): Watched {
  const inner = memoryStorage();
  const { read, write, delete: remove, apply } = inner;
  let asked = { list: 0, stat: 0 };
  const lines: string[] = [];
  const storage = defineStorage({
    name: "counting",
    read,
    write,
    delete: remove,
    apply,
    list: (options) => ((asked = { ...asked, list: asked.list + 1 }), inner.list(options)),
    stat: (path, options) => ((asked = { ...asked, stat: asked.stat + 1 }), inner.stat(path, options)),
  });
  const logger = { emit: ({ body }: LogRecord) => void lines.push(String(body)), enabled: () => enabled } as unknown as Logger;
  return {
    session: withTelemetry(openSession({ storage, sessionId: uuidFor("s1") }), { loggerProvider: { getLogger: () => logger } }),
    inner,
    asked: () => {
      const last = asked;
      asked = { list: 0, stat: 0 };
      return last;
    },
    lines: () => lines.splice(0),
  };
}

const files = (count: number, directory: string): readonly Mutation[] =>
  Array.from({ length: count }, (_, index) => ({ kind: "create", path: `${directory}/${index}`, bytes: encodeUtf8("abc") }));

describe("a recursive delete that is observed", () => {
  it("lists nothing when it is refused: 4 listings of 3,000 files with telemetry, 0 without", async () => {
    const { session, inner, asked, lines } = watched();
    await inner.apply?.(files(3_000, "memories"));
    await expect(session.fs.delete("/memories", { recursive: true })).rejects.toMatchObject({ code: "forbidden" });
    expect([asked(), lines()]).toEqual([{ list: 0, stat: 0 }, []]);
  });

  it("is listed once, by the delete itself, whether lines are wanted or not, and its line has all the bytes", async () => {
    for (const enabled of [true, false]) {
      const { session, inner, asked, lines } = watched({ enabled });
      await inner.apply?.([...files(3, "d"), ...files(2, "d/e")]);
      await session.fs.delete("/d", { recursive: true });
      expect([asked(), lines()]).toEqual([{ list: 1, stat: 0 }, [enabled ? "delete /d (-15 bytes)" : "delete /d"]]);
    }
  });

  it("of a file, and of one that a tool checks, has the bytes as well", async () => {
    const { session, inner, lines } = watched();
    await inner.apply?.([...files(2, "d"), ...files(1, "one")]);
    await session.fs.delete("/one/0", { recursive: true });
    const checked: number[] = [];
    await deleteChecked(session.fs, "/d", { check: async (below) => void checked.push(below.length) });
    expect([lines(), checked]).toEqual([["delete /one/0 (-3 bytes)", "delete /d (-6 bytes)"], [2]]);
  });
});

describe("an apply that is observed", () => {
  it("asks for the sizes of at most 100 files before it starts: 50,000 were asked for one after another", async () => {
    for (const [count, stats] of [
      [MAX_SIZED_CHANGES - 1, MAX_SIZED_CHANGES - 1],
      [MAX_SIZED_CHANGES, MAX_SIZED_CHANGES],
      [MAX_SIZED_CHANGES + 1, 0],
    ] as const) {
      const { session, inner, asked, lines } = watched();
      await inner.apply?.(files(count, "d"));
      const deletes = (await inner.list()).map(({ path }) => ({ kind: "delete", path }) as const);
      await session.storage.apply?.([...deletes, ...files(2, "new")]);
      expect(asked().stat).toBe(stats);
      const told = lines();
      expect(told.slice(0, 2)).toEqual(["write /new/0 (+3 bytes)", "write /new/1 (+3 bytes)"]);
      expect(new Set(told.slice(2).map((line) => line.replace(/^delete \/d\/[0-9]+/, "")))).toEqual(new Set([stats === 0 ? "" : " (-3 bytes)"]));
      expect(told).toHaveLength(count + 2);
    }
  });
});
