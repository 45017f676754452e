import { describe, expect, it } from "vitest";
import { defineStorage } from "../../contract/define-storage.ts";
import { memoryStorage } from "../../storages/memory.ts";
import type { Mutation, Storage } from "../../storage.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { createOverlay } from "../overlay.ts";

/** Counts what the base is asked. */
async function counted(files: number): Promise<{ readonly base: Storage; readonly asked: Map<string, number> }> {
  const inner = memoryStorage();
  await inner.apply?.(
    Array.from(
      { length: files },
      (_, index) => ({ kind: "create", path: `d${index % 3}/f${String(index).padStart(5, "0")}`, bytes: encodeUtf8("x") }) as const,
    ),
  );
  const asked = new Map<string, number>();
  const count = (what: string): void => void asked.set(what, (asked.get(what) ?? 0) + 1);
  const base = defineStorage({
    name: "counted",
    list: (options) => {
      count("list");
      return inner.list(options);
    },
    stat: (path, options) => {
      count("stat");
      return inner.stat(path, options);
    },
    read: inner.read,
    write: inner.write,
    delete: inner.delete,
  });
  return { base, asked };
}

const deletes = async (base: Storage, keep: (index: number) => boolean): Promise<readonly Mutation[]> =>
  (await base.list()).filter((_, index) => keep(index)).map(({ path, version }) => ({ kind: "delete", path, ifVersion: version }));

describe("many changes in one apply", () => {
  it("are looked up a page at a time where they stand together, and pinned alike", async () => {
    const { base, asked } = await counted(3_000);
    const { storage, changes } = createOverlay({ base });
    const all = await deletes(base, () => true);
    asked.clear();
    await storage.apply?.(all);
    expect(asked).toEqual(new Map([["list", 3]]));
    expect([(await storage.list()).length, (await changes()).length]).toEqual([0, 3_000]);
  });

  it("are asked for one by one where they stand far apart, or the listing does not have them", async () => {
    const { base, asked } = await counted(3_000);
    const { storage } = createOverlay({ base });
    const some = await deletes(base, (index) => index % 30 === 0);
    asked.clear();
    await storage.apply?.(some);
    expect(asked).toEqual(
      new Map([
        ["list", 1],
        ["stat", 100 - 34],
      ]),
    );
    const again = storage.apply?.([...(await deletes(base, (index) => index % 30 === 1)), { kind: "delete", path: "d9/none" }]);
    await expect(again).rejects.toMatchObject({ code: "conflict", details: { paths: ["/d9/none"] } });
  });
});
