import { describe, expect, it } from "vitest";
import { memoryStorage } from "../storages/memory.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { faultyStorage } from "./faulty.ts";

const bytes = encodeUtf8("x");

describe("faultyStorage", () => {
  it("fails the n-th call of an operation and no other", async () => {
    const storage = faultyStorage(memoryStorage(), { on: "write", call: 2 });
    await storage.write("a", bytes);
    await expect(storage.write("b", bytes)).rejects.toMatchObject({ code: "unavailable" });
    await storage.write("c", bytes);
    expect((await storage.list()).map(({ path }) => path)).toEqual(["a", "c"]);
  });

  it("counts every call with any, and can fail several in a row", async () => {
    const failed: string[] = [];
    const storage = faultyStorage(memoryStorage(), { on: "any", call: 2, times: 2, onFault: (operation) => failed.push(operation) });
    await storage.write("a", bytes);
    await expect(storage.read("a")).rejects.toMatchObject({ code: "unavailable" });
    await expect(storage.apply?.([{ kind: "delete", path: "a" }])).rejects.toMatchObject({ code: "unavailable" });
    expect((await storage.read("a")).info.path).toBe("a");
    expect(failed).toEqual(["read", "apply"]);
  });

  it("can do what was asked and then lose the answer", async () => {
    const inner = memoryStorage();
    const storage = faultyStorage(inner, { on: "write", call: 1, when: "after", error: new Error("socket hang up") });
    await expect(storage.write("a", bytes)).rejects.toMatchObject({ code: "internal", cause: expect.objectContaining({ message: "socket hang up" }) });
    expect(await inner.list()).toHaveLength(1);
  });

  it("has the features of the storage below, and takes only what defineStorage made", () => {
    const storage = faultyStorage(memoryStorage(), { on: "any", call: 1 });
    expect([typeof storage.apply, typeof storage.search, typeof storage.record]).toEqual(["function", "object", "undefined"]);
    expect(() => faultyStorage({} as never, { on: "any", call: 1 })).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  });
});
