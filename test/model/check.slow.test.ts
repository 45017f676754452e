import { describe, expect, it } from "vitest";
import { defineStorage } from "../../packages/hango/src/contract/define-storage.ts";
import type { Storage, StorageImplementation } from "../../packages/hango/src/storage.ts";
import { memoryStorage } from "../../packages/hango/src/storages/memory.ts";
import { checkSubject } from "./check.ts";
import { memorySubject } from "./subjects.ts";
import type { Subject } from "./world.ts";

/** A memory storage with one method of its own. */
function faulty(change: (inner: Storage) => Partial<StorageImplementation>): Subject {
  const room = (): { readonly storage: Storage } => {
    const inner = memoryStorage();
    const { list, read, write, delete: remove, apply, search } = inner;
    return { storage: defineStorage({ name: "faulty", list, read, write, delete: remove, apply, search, ...change(inner) }) };
  };
  return { ...memorySubject(), name: "faulty", rooms: () => [room(), room()] };
}

/** One that finds every fault below within a few sequences. */
const SEED = 11;

async function failureOf(subject: Subject, path?: string): Promise<string> {
  try {
    await checkSubject(subject, { seed: SEED, operations: 5_000, ...(path === undefined ? {} : { path }) });
  } catch (error) {
    return (error as Error).message;
  }
  return "no failure";
}

describe("the model tells a storage that", () => {
  it.each<[string, (inner: Storage) => Partial<StorageImplementation>]>([
    [
      "ignores the version it is given",
      (inner) => ({
        write: (path, bytes, { ifVersion, ...options } = {}) => inner.write(path, bytes, ifVersion === "absent" ? { ...options, ifVersion } : options),
      }),
    ],
    ["deletes without a look at the version", (inner) => ({ delete: (path) => inner.delete(path) })],
    [
      "goes on too far behind a cursor",
      (inner) => ({ ls: (path, options = {}) => inner.ls(path, options.after === undefined ? options : { ...options, after: `${options.after}~` }) }),
    ],
    ["drops a byte order mark", (inner) => ({ write: (path, bytes, options) => inner.write(path, bytes[0] === 0xef ? bytes.subarray(3) : bytes, options) })],
    [
      "can't read one of its files",
      (inner) => ({
        read: (path, options) => inner.read(path === "b/x.md" ? ("b/X.md" as typeof path) : path, options),
      }),
    ],
  ])("%s", async (_name, change) => {
    expect(await failureOf(faulty(change))).toContain(`faulty and the model part ways (seed ${SEED}, path `);
  });

  it("fails, with the seed, the path and a sequence so short that one reads it, which a second run finds at once", async () => {
    const subject = faulty((inner) => ({ delete: (path) => inner.delete(path) }));
    const message = await failureOf(subject);
    const operations = message.split("\n").filter((line) => line.startsWith("  {"));
    expect(operations.length).toBeLessThan(6);
    const [, seed, path = ""] = /again: .* --seed (\d+) --path ([\d:]+)"/u.exec(message) ?? [];
    expect(seed).toBe(String(SEED));
    expect((await failureOf(subject, path)).split("\n").slice(1, 3)).toEqual(message.split("\n").slice(1, 3));
  });
});
