import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Storage } from "../../../storage.ts";
import { bytesOf, ENGINES, openSubject, type Subject } from "../../../../../../test/support/postgres-subject.ts";

describe.each(ENGINES)("apply on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine);
  });
  afterAll(() => subject.close());
  const fresh = (): Storage => subject.storage.scope(subject.namespace());

  describe("apply", () => {
    it("names every stale path and changes nothing", async () => {
      const storage = fresh();
      await storage.write("exists", bytesOf("1"));
      const stale = await storage.write("stale", bytesOf("1"));
      await storage.write("stale", bytesOf("2"));
      await expect(
        storage.apply?.([
          { kind: "create", path: "exists", bytes: bytesOf("x") },
          { kind: "modify", path: "gone", bytes: bytesOf("x") },
          { kind: "modify", path: "stale", bytes: bytesOf("x"), ifVersion: stale.version },
          { kind: "delete", path: "missing" },
          { kind: "create", path: "fine", bytes: bytesOf("x") },
        ]),
      ).rejects.toMatchObject({ code: "conflict", details: { paths: expect.arrayContaining(["/exists", "/gone", "/stale", "/missing"]) } });
      expect((await storage.list()).map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
        ["exists", 1],
        ["stale", 1],
      ]);
    });

    it("makes a file of a directory, and a directory of a file, when the commit deletes what is in the way", async () => {
      const storage = fresh();
      for (const path of ["b/1", "b/2/3", "f"]) await storage.write(path, bytesOf(path));
      await expect(
        storage.apply?.([
          { kind: "delete", path: "b/1" },
          { kind: "create", path: "b", bytes: bytesOf("b") },
        ]),
      ).rejects.toMatchObject({ code: "not_a_file", path: "/b" });
      await expect(storage.apply?.([{ kind: "create", path: "f/g/h", bytes: bytesOf("x") }])).rejects.toMatchObject({
        code: "not_a_directory",
        message: expect.stringContaining("/f is a file"),
      });
      await storage.apply?.([
        { kind: "create", path: "b", bytes: bytesOf("b") },
        { kind: "delete", path: "b/1" },
        { kind: "delete", path: "b/2/3" },
        { kind: "delete", path: "f" },
        { kind: "create", path: "f/g", bytes: bytesOf("g") },
      ]);
      expect((await storage.list()).map(({ path }) => path)).toEqual(["b", "f/g"]);
    });

    it("orders by bytes whatever the database's own order: a delete of /B/x is not below /b", async () => {
      const storage = fresh();
      for (const path of ["B/x", "b/y"]) await storage.write(path, bytesOf("1"));
      await expect(
        storage.apply?.([
          { kind: "delete", path: "B/x" },
          { kind: "create", path: "b", bytes: bytesOf("2") },
        ]),
      ).rejects.toMatchObject({ code: "not_a_file" });
      expect((await storage.list()).map(({ path }) => path)).toEqual(["B/x", "b/y"]);
    });

    it("takes a commit of a thousand in one call", async () => {
      const namespace = subject.namespace();
      const storage = subject.storage.scope(namespace);
      await storage.apply?.(Array.from({ length: 1000 }, (_, at) => ({ kind: "create", path: `d${at % 10}/f${at}`, bytes: bytesOf(`file ${at}`) }) as const));
      await storage.apply?.(
        Array.from({ length: 1000 }, (_, at) =>
          at % 2 === 0
            ? ({ kind: "delete", path: `d${at % 10}/f${at}` } as const)
            : ({ kind: "modify", path: `d${at % 10}/f${at}`, bytes: bytesOf("") } as const),
        ),
      );
      expect(await subject.storage.usage(namespace)).toEqual({ files: 500, bytes: 0 });
    });
  });
});
