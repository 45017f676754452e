/** scopedConformance: two scopes of one storage never meet. */
import { assertStorage } from "../contract/define-storage.ts";
import type { Namespace, ScopedStorage, Storage } from "../storage.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { holds, refused, same } from "./assert.ts";
import { allPaths, bytesOf, put, textAt } from "./case.ts";
import type { TestRunner } from "./conformance.ts";

export interface ScopedFixture {
  readonly storage: ScopedStorage<Namespace>;
  /** Two namespaces that no other case uses. */
  readonly scopes: readonly [Namespace, Namespace];
}

export interface ScopedSubject {
  readonly name: string;
  readonly create: () => ScopedFixture | Promise<ScopedFixture>;
}

interface ScopedCase {
  readonly name: string;
  readonly run: (mine: Storage, theirs: Storage, fixture: ScopedFixture) => Promise<void>;
}

/** Registers the isolation cases: list, read, search, grep, versions and apply of one scope know nothing of another. */
export function scopedConformance(runner: TestRunner, subject: ScopedSubject): void {
  runner.describe(`${subject.name} keeps scopes apart`, () => {
    for (const one of scopedCases) {
      runner.it(one.name, async () => {
        const fixture = await subject.create();
        const [mine, theirs] = fixture.scopes.map((scope) => fixture.storage.scope(scope)) as [Storage, Storage];
        for (const storage of [mine, theirs]) assertStorage(storage, `What a scope of ${subject.name} gives`);
        await one.run(mine, theirs, fixture);
      });
    }
  });
}

/** The cases as data. */
export const scopedCases: readonly ScopedCase[] = [
  {
    name: "has no read and no write of its own",
    run: async (_mine, _theirs, { storage }) => {
      for (const name of ["list", "read", "write", "delete", "apply", "search", "grep"]) holds(!(name in storage), `the unscoped object has ${name}`);
    },
  },
  {
    name: "shows one scope's files to no reading call of the other",
    run: async (mine, theirs) => {
      await put(theirs, "d/secret.txt", "TOPSECRET");
      same(
        [await mine.list(), await mine.ls(""), await mine.ls("d"), await mine.stat("d"), await mine.stat("d/secret.txt")],
        [[], [], [], undefined, undefined],
        "list, ls, stat",
      );
      await refused("not_found", () => mine.read("d/secret.txt"), "read");
      await refused("not_found", () => mine.lines("d/secret.txt", { offset: 1, limit: 1, column: 1, maxLineChars: 10 }), "lines");
      same(await mine.glob({ pattern: parseGlob("**"), root: "", limit: 10 }), [], "glob");
      same(await mine.grep({ pattern: parsePattern("TOPSECRET"), root: "", context: 0, limit: 10 }), [], "grep");
      same(await mine.grep({ pattern: parsePattern("TOPSECRET"), root: "d/secret.txt", context: 0, limit: 10 }), [], "grep of the file");
      if (mine.search !== undefined) same(await mine.search.paths("TOPSECRET"), [], "search");
    },
  },
  {
    name: "names nothing of the other scope in binary notices",
    run: async (mine, theirs) => {
      await theirs.write("bin", Uint8Array.of(0, 0xff));
      const skipped: string[] = [];
      await mine.grep({ pattern: parsePattern("x"), root: "", context: 0, limit: 10, onSkip: (path) => void skipped.push(path) });
      same(skipped, [], "skipped");
    },
  },
  {
    name: "keeps two files of one path apart, through writes and deletes",
    run: async (mine, theirs) => {
      await put(mine, "a", "mine");
      await put(theirs, "a", "theirs");
      same([await textAt(mine, "a"), await textAt(theirs, "a")], ["mine", "theirs"], "texts");
      await mine.delete("a");
      same([await allPaths(mine), await textAt(theirs, "a")], [[], "theirs"], "after a delete");
      await refused("not_found", () => mine.delete("a"), "a second delete");
      await put(mine, "a", "again", { ifVersion: "absent" });
      same(await textAt(theirs, "a"), "theirs", "after a create");
    },
  },
  {
    name: "refuses the other scope's version, in write, delete and apply",
    run: async (mine, theirs) => {
      await put(mine, "a", "mine");
      const { version } = await put(theirs, "a", "theirs");
      await refused("conflict", () => put(mine, "a", "x", { ifVersion: version }), "write");
      await refused("conflict", () => mine.delete("a", { ifVersion: version }), "delete");
      const { apply } = mine;
      if (apply !== undefined) await refused("conflict", () => apply([{ kind: "modify", path: "a", bytes: bytesOf("x"), ifVersion: version }]), "apply");
      same([await textAt(mine, "a"), await textAt(theirs, "a")], ["mine", "theirs"], "texts");
    },
  },
  {
    name: "applies in one scope only, and refuses what only the other holds",
    run: async (mine, theirs) => {
      const { apply } = mine;
      if (apply === undefined) return;
      await put(theirs, "a", "theirs");
      await refused(["conflict", "not_found"], () => apply([{ kind: "delete", path: "a" }]), "a delete of what only the other holds");
      await apply([
        { kind: "create", path: "a", bytes: bytesOf("mine") },
        { kind: "create", path: "b", bytes: bytesOf("mine") },
      ]);
      same([await allPaths(mine), await allPaths(theirs), await textAt(theirs, "a")], [["a", "b"], ["a"], "theirs"], "files");
    },
  },
  {
    name: "lets a file here and a directory there share a name",
    run: async (mine, theirs) => {
      await put(theirs, "d/e", "theirs");
      await put(mine, "d", "mine");
      same([(await mine.stat("d"))?.kind, (await theirs.stat("d"))?.kind], ["file", "directory"], "stat");
    },
  },
  {
    name: "lets both scopes create one path at once",
    run: async (mine, theirs) => {
      for (let round = 0; round < 5; round++)
        await Promise.all([put(mine, `${round}`, "mine", { ifVersion: "absent" }), put(theirs, `${round}`, "theirs", { ifVersion: "absent" })]);
      same([await textAt(mine, "4"), await textAt(theirs, "4")], ["mine", "theirs"], "texts");
    },
  },
  {
    name: "refuses what is not a UUID before anything runs, and says how to make one",
    run: async (_mine, _theirs, { storage, scopes: [{ tenantId, agentId }] }) => {
      for (const bad of ["", " ", "org_2ab", "'; drop table x; --", `${tenantId} `, `${tenantId}0`]) {
        const tenant = await refused("invalid_argument", async () => storage.scope({ tenantId: bad, agentId }), `tenant ${JSON.stringify(bad)}`);
        await refused("invalid_argument", async () => storage.scope({ tenantId, agentId: bad }), `agent ${JSON.stringify(bad)}`);
        holds(tenant.message.includes("uuidFor"), "the message names uuidFor");
      }
    },
  },
  {
    name: "reads upper and lower case of an id as one",
    run: async (mine, _theirs, { storage, scopes: [{ tenantId, agentId }] }) => {
      await put(mine, "a", "mine");
      same(await textAt(storage.scope({ tenantId: tenantId.toUpperCase(), agentId: agentId.toUpperCase() }), "a"), "mine", "text");
    },
  },
];
