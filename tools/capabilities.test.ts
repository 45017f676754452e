import { defineStorage, memoryStorage, type Storage, type StorageImplementation } from "hango";
import { describe, expect, it } from "vitest";
import { capabilityRow, tableOn, withTable, wordFor } from "./capabilities.ts";
import { look, type Seen } from "./capabilities/look.ts";
import { DATABASE, ENTRIES, SUBJECTS } from "./capabilities/subjects.ts";
import { fromRoot } from "./markdown-pages.ts";
import { markdownTable } from "./markdown-table.ts";

const onPage = tableOn(fromRoot("README.md"));

describe("the README's table of storages and layers", () => {
  // The database's row is tried in capabilities.pglite.test.ts, which also holds the whole table against the page.
  it.each(SUBJECTS.filter((subject) => subject !== DATABASE).map((subject) => [subject.factory.name, subject] as const))(
    "says of %s what a trial shows; if not, run: npm exec -c 'node tools/capabilities.ts'",
    async (_name, subject) => {
      expect(onPage.split("\n")).toContain(
        markdownTable([], [await capabilityRow(subject)])
          .trimEnd()
          .split("\n")
          .at(-1),
      );
    },
  );

  it("leaves out no storage and no layer that an entry exports", () => {
    const exported = [...ENTRIES.values()].flatMap((entry) => Object.entries(entry)).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
    const factories = exported.filter((name) => /Storage$|Overlay$/.test(name)).toSorted();
    expect(factories).toEqual(SUBJECTS.map(({ factory }) => factory.name).toSorted());
  });
});

/** A memory storage, but for some methods. */
function memoryBut(other: (files: Storage) => Partial<StorageImplementation>): Storage {
  const files = memoryStorage();
  return defineStorage({ ...files, ...other(files) });
}

describe("a trial believes nobody", () => {
  it("a storage that writes over a stale version is refused a row", async () => {
    const storage = memoryBut((files) => ({ write: (path, bytes) => files.write(path, bytes) }));
    await expect(look({ storage })).rejects.toThrow("of two writers of one version one wins");
  });

  it("a storage that deletes a stale version is refused a row", async () => {
    const storage = memoryBut((files) => ({ delete: (path) => files.delete(path) }));
    await expect(look({ storage })).rejects.toThrow("a delete of a stale version is a conflict");
  });

  it("an apply that does a part before it refuses is refused a row", async () => {
    const storage = memoryBut((files) => ({
      apply: async (mutations) => {
        const [first] = mutations;
        if (first?.kind === "create") await files.write(first.path, first.bytes);
        return (await files.apply?.(mutations.slice(1))) ?? [];
      },
    }));
    await expect(look({ storage })).rejects.toThrow("an apply that can't be done whole leaves nothing");
  });

  it("a search that finds nothing and a record that keeps nothing are none", async () => {
    const storage = memoryBut(() => ({ search: { syntax: "Anything.", paths: async () => [] }, record: async () => undefined }));
    expect(await look({ storage, events: async () => 0 })).toEqual({ writes: true, kept: "never", apply: true, search: false, record: false });
  });
});

describe("the words for a trait", () => {
  const subject = { factory: memoryStorage };
  const traits = (search: boolean): Seen => ({ writes: true, kept: "never", apply: false, search, record: false });
  const over = (seen: boolean, ...all: readonly boolean[]): Parameters<typeof wordFor>[1][number] => {
    const [owner = false] = all;
    return { seen: traits(seen), below: { all: all.map(traits), owner: traits(owner) } };
  };

  it.each([
    ["yes", [over(true, true), over(true, false)]],
    ["no", [over(false, true), over(false, false)]],
    ["as the storage", [over(true, true), over(false, false)]],
    ["only with a single mount that has it", [over(true, true), over(false, true, true), over(false, false)]],
  ])("%s", (word, sights) => {
    expect(wordFor("search", sights, subject)).toBe(word);
  });

  it("there are none for what follows no rule", () => {
    expect(() => wordFor("search", [over(true, false), over(false, true)], subject)).toThrow('says when memoryStorage has "search"');
  });
});

describe("the markers", () => {
  const page = "before\n\n<!-- capabilities -->\n\nold\n\n<!-- end of capabilities -->\n\nafter\n";

  it("hold the table, also one with $&", () => {
    const made = withTable(page, "new $&\n");
    expect(made).toBe(page.replace("old", () => "new $&"));
    expect(tableOn(made)).toBe("new $&\n");
  });

  it("are missed", () => {
    expect(() => withTable("no table here\n", "new\n")).toThrow("<!-- capabilities -->");
  });
});
