import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Storage } from "../../../storage.ts";
import type { Driver } from "../driver/driver.ts";
import { storageOver } from "../postgres-storage.ts";
import { bytesOf, losingAnswers, ENGINES, openSubject, type Subject, textAt } from "../../../../../../test/support/postgres-subject.ts";

/** Loses the answer of the first run; others do something before it runs again. */
function overtaken(driver: Driver, between: () => Promise<unknown>): Driver {
  let runs = 0;
  return {
    ...driver,
    run: async (statements, options) => {
      if (runs++ > 0) return driver.run(statements, options);
      await driver.run(statements, options);
      await between();
      return { ...(await driver.run(statements, options)), attempts: 2 };
    },
  };
}

describe.each(ENGINES)("a lost answer on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine);
  });
  afterAll(() => subject.close());

  describe("a call whose answer was lost and that ran again", () => {
    it("answers as if it had run once: create, update, delete, commit", async () => {
      const namespace = subject.namespace();
      const storage = subject.storage.scope(namespace);
      const losing = storageOver(losingAnswers(subject.driver)).scope(namespace);
      const made = await losing.write("a", bytesOf("1"), { ifVersion: "absent" });
      expect((await storage.read("a")).info).toEqual(made);
      const over = await losing.write("a", bytesOf("22"), { ifVersion: made.version });
      expect((await storage.read("a")).info).toEqual(over);
      const blind = await losing.write("a", bytesOf("333"));
      expect((await storage.read("a")).info).toEqual(blind);
      expect((await losing.write("new", bytesOf("x"))).version).toMatch(/\.1$/);
      await losing.delete("a", { ifVersion: blind.version });
      await losing.delete("new");
      const infos = await losing.apply?.([
        { kind: "create", path: "b", bytes: bytesOf("b") },
        { kind: "create", path: "c", bytes: bytesOf("c") },
      ]);
      expect(infos?.map(({ version }) => version)).toEqual((await storage.list()).map(({ version }) => version));
      await losing.apply?.([
        { kind: "modify", path: "b", bytes: bytesOf("bb") },
        { kind: "delete", path: "c" },
      ]);
      await losing.apply?.([{ kind: "delete", path: "b" }]);
      expect(await subject.storage.usage(namespace)).toEqual({ files: 0, bytes: 0 });
      expect(await subject.storage.events(namespace)).toHaveLength(11);
    });

    it('is never a conflict with itself, whatever others did in between: "The file changed at the same moment"', async () => {
      const namespace = subject.namespace();
      const storage = subject.storage.scope(namespace);
      const overtakenBy = (between: () => Promise<unknown>): Storage => storageOver(overtaken(subject.driver, between)).scope(namespace);
      const other = (path: string) => (): Promise<unknown> => storage.write(path, bytesOf("another's"));
      const gone = (path: string) => (): Promise<unknown> => storage.delete(path);
      for (const path of ["a", "b", "c", "d", "e", "f", "g"]) await storage.write(path, bytesOf("1"));

      expect((await overtakenBy(other("a")).write("a", bytesOf("mine"))).version).toMatch(/\.2$/);
      const { version } = (await storage.read("b")).info;
      expect((await overtakenBy(other("b")).write("b", bytesOf("mine"), { ifVersion: version })).sizeBytes).toBe(4);
      await overtakenBy(gone("c")).write("c", bytesOf("mine"));
      await overtakenBy(other("d")).delete("d");
      await overtakenBy(gone("new")).write("new", bytesOf("mine"), { ifVersion: "absent" });
      await overtakenBy(other("e")).apply?.([{ kind: "modify", path: "e", bytes: bytesOf("mine") }]);
      await overtakenBy(other("f")).apply?.([{ kind: "delete", path: "f" }]);

      for (const path of ["a", "b", "d", "e", "f"]) expect(await textAt(storage, path)).toBe("another's");
      expect((await storage.list()).map(({ path }) => path)).toEqual(["a", "b", "d", "e", "f", "g"]);
      const events = (await subject.storage.events(namespace)).length;
      expect(events).toBe(7 + 7 + 7);
      expect(await subject.storage.usage(namespace)).toEqual({ files: 6, bytes: 5 * 9 + 1 });
    });

    it("that another wrote over in between does not hand out the other's version", async () => {
      const namespace = subject.namespace();
      const storage = subject.storage.scope(namespace);
      const losing = storageOver(overtaken(subject.driver, () => storage.write("a", bytesOf("another's")))).scope(namespace);
      const made = await losing.write("a", bytesOf("mine"), { ifVersion: "absent" });
      await expect(storage.write("a", bytesOf("lost"), { ifVersion: made.version })).rejects.toMatchObject({ code: "conflict" });
      expect(await textAt(storage, "a")).toBe("another's");
    });

    it("still answers not_found and conflict for what was never its own", async () => {
      const losing = storageOver(losingAnswers(subject.driver)).scope(subject.namespace());
      await expect(losing.delete("nope")).rejects.toMatchObject({ code: "not_found" });
      await losing.write("a", bytesOf("1"));
      await expect(losing.write("a", bytesOf("2"), { ifVersion: "stale.1" })).rejects.toMatchObject({ code: "conflict" });
      await expect(losing.write("a", bytesOf("2"), { ifVersion: "absent" })).rejects.toMatchObject({ code: "already_exists" });
      await expect(losing.apply?.([{ kind: "delete", path: "nope" }])).rejects.toMatchObject({ code: "conflict" });
    });
  });
});
