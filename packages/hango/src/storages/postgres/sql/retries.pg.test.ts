import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Driver } from "../driver/driver.ts";
import { storageOver } from "../postgres-storage.ts";
import { bytesOf, losingAnswers, ENGINES, openSubject, type Subject, textAt } from "../../../../../../test/support/postgres-subject.ts";

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

    it("that another wrote over in between does not hand out the other's version", async () => {
      const namespace = subject.namespace();
      const storage = subject.storage.scope(namespace);
      let runs = 0;
      const overtaken: Driver = {
        ...subject.driver,
        run: async (statements, options) => {
          if (runs++ > 0) return subject.driver.run(statements, options);
          await subject.driver.run(statements, options);
          await storage.write("a", bytesOf("another's"));
          return { ...(await subject.driver.run(statements, options)), attempts: 2 };
        },
      };
      const made = await storageOver(overtaken).scope(namespace).write("a", bytesOf("mine"), { ifVersion: "absent" });
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
