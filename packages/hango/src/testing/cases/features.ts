/** Features are present or absent; here is what each means when present. */
import { HangoError } from "../../errors.ts";
import type { FileInfo, Mutation, Storage } from "../../storage.ts";
import { holds, refused, same } from "../assert.ts";
import { allPaths, bytesOf, type CaseGroup, infoKey, put, textAt } from "../case.ts";

type Search = (...parameters: Parameters<NonNullable<Storage["search"]>["paths"]>) => Promise<readonly string[]>;

function searchOf(storage: Storage): Search {
  if (storage.search === undefined) throw new HangoError("unsupported", "search is absent");
  return storage.search.paths;
}

/** Calls apply, which the case needs. */
export function applyTo(storage: Storage, mutations: readonly Mutation[]): Promise<readonly FileInfo[]> {
  if (storage.apply === undefined) throw new HangoError("unsupported", "apply is absent");
  return storage.apply(mutations);
}

const create = (path: string, text: string): Mutation => ({ kind: "create", path, bytes: bytesOf(text) });
const modify = (path: string, text: string, ifVersion?: string): Mutation => ({ kind: "modify", path, bytes: bytesOf(text), ...(ifVersion === undefined ? {} : { ifVersion }) });
const remove = (path: string, ifVersion?: string): Mutation => ({ kind: "delete", path, ...(ifVersion === undefined ? {} : { ifVersion }) });

async function state(storage: Storage): Promise<unknown> {
  return (await storage.list()).map(infoKey);
}

export const searchCases: CaseGroup = {
  topic: "search",
  cases: [
    {
      name: "says its syntax and finds a word's files in byte order",
      needs: ["search"],
      files: { "b.md": "about penguins", "a/b.md": "penguins too", "c.md": "nothing", "a-b.md": "penguins" },
      run: async (storage) => {
        const search = searchOf(storage);
        holds((storage.search?.syntax ?? "") !== "", "syntax says how to write a query");
        same(await search("penguins"), ["a-b.md", "a/b.md", "b.md"], "paths");
        same(await search("flamingos"), [], "no match");
      },
    },
    {
      name: "honours prefix, after, limit and filters",
      needs: ["search"],
      files: { "a/1": "penguins", "a/2": "penguins", b: "penguins", secret: "penguins" },
      run: async (storage) => {
        const search = searchOf(storage);
        same(await search("penguins", { prefix: "a" }), ["a/1", "a/2"], "prefix");
        same(await search("penguins", { after: "a/1", limit: 1 }), ["a/2"], "after and limit");
        same(await search("penguins", { filters: [{ hide: ["a/"], show: ["a/2"] }], limit: 2 }), ["a/2", "b"], "filters before limit");
      },
    },
    {
      name: "refuses an empty query",
      needs: ["search"],
      run: async (storage) => {
        const search = searchOf(storage);
        await refused("invalid_argument", () => search(""), "an empty query");
      },
    },
  ],
};

export const applyCases: CaseGroup = {
  topic: "apply",
  cases: [
    {
      name: "creates, modifies and deletes at once, and answers infos in the order given",
      needs: ["writing", "apply"],
      files: { "b.txt": "old", "c.txt": "gone" },
      run: async (storage) => {
        const infos = await applyTo(storage, [create("z/new.txt", "new"), remove("c.txt"), modify("b.txt", "changed"), create("a.txt", "first")]);
        same(infos.map((info) => [info.path, info.sizeBytes]), [["z/new.txt", 3], ["b.txt", 7], ["a.txt", 5]], "infos");
        same([await allPaths(storage), await textAt(storage, "b.txt")], [["a.txt", "b.txt", "z/new.txt"], "changed"], "files");
        const [, , first] = infos;
        same((await storage.list()).find((info) => info.path === "a.txt")?.version, first?.version, "the version answered is the one stored");
      },
    },
    {
      name: "takes an empty list",
      needs: ["writing", "apply"],
      files: { a: "x" },
      run: async (storage) => {
        same([await applyTo(storage, []), await allPaths(storage)], [[], ["a"]], "nothing");
      },
    },
    {
      name: "changes nothing when one mutation is stale, and names every such path",
      needs: ["writing", "apply", "versions"],
      files: { a: "1", b: "2", c: "3" },
      run: async (storage) => {
        const stale = new Map((await storage.list()).map((info) => [info.path, info.version]));
        await put(storage, "a", "changed");
        await put(storage, "c", "changed");
        const before = await state(storage);
        const error = await refused("conflict", () => applyTo(storage, [create("new", "n"), modify("a", "x", stale.get("a")), modify("b", "y", stale.get("b")), remove("c", stale.get("c"))]), "stale");
        same(error.details?.["paths"], ["/a", "/c"], "details.paths");
        holds(error.message.includes("/a") && error.message.includes("/c") && !error.message.includes("/b"), `the message names them: ${error.message}`);
        same(await state(storage), before, "files");
      },
    },
    {
      name: "refuses a create over a file with already_exists, and changes nothing",
      needs: ["writing", "apply"],
      files: { a: "1", b: "2" },
      run: async (storage) => {
        const before = await state(storage);
        const error = await refused("already_exists", () => applyTo(storage, [remove("b"), create("c", "3"), create("a", "x")]), "over a file");
        same([error.details?.["paths"], await state(storage)], [["/a"], before], "paths and files");
      },
    },
    {
      name: "refuses a modify or delete of what is not there, and changes nothing",
      needs: ["writing", "apply"],
      files: { a: "1", "d/e": "2" },
      run: async (storage) => {
        const before = await state(storage);
        await refused(["conflict", "not_found"], () => applyTo(storage, [create("n", "x"), modify("gone", "x")]), "modify");
        await refused(["conflict", "not_found"], () => applyTo(storage, [create("n", "x"), remove("gone")]), "delete");
        await refused(["not_a_file", "conflict", "not_found"], () => applyTo(storage, [create("n", "x"), remove("d")]), "delete of a directory");
        same(await state(storage), before, "files");
      },
    },
    {
      name: "refuses a path twice and a bad path, before anything is written",
      needs: ["writing", "apply"],
      files: { a: "1" },
      run: async (storage) => {
        const before = await state(storage);
        await refused("invalid_argument", () => applyTo(storage, [create("n", "x"), remove("a"), create("n", "y")]), "twice");
        await refused("invalid_path", () => applyTo(storage, [create("n", "x"), create("m/../n", "y")]), "a bad path");
        same(await state(storage), before, "files");
      },
    },
    {
      name: "keeps a file and a directory from sharing a name, also within one call",
      needs: ["writing", "apply"],
      files: { "d/e": "1", f: "2" },
      run: async (storage) => {
        const before = await state(storage);
        await refused("not_a_file", () => applyTo(storage, [create("n", "x"), create("d", "x")]), "a file over a directory");
        await refused("not_a_directory", () => applyTo(storage, [create("n", "x"), create("f/g", "x")]), "a file below a file");
        await refused(["invalid_argument", "not_a_directory", "not_a_file"], () => applyTo(storage, [create("p", "x"), create("p/q", "x")]), "both at once");
        same(await state(storage), before, "files");
      },
    },
    {
      name: "may turn a file into a directory and back in one call",
      needs: ["writing", "apply"],
      files: { "d/e": "1", f: "2" },
      run: async (storage) => {
        await applyTo(storage, [remove("f"), create("f/g", "x"), remove("d/e"), create("d", "y")]);
        same([await allPaths(storage), await textAt(storage, "d"), await textAt(storage, "f/g")], [["d", "f/g"], "y", "x"], "files");
      },
    },
    {
      name: "keeps the content type of a file modified without one, and copies the bytes it is given",
      needs: ["writing", "apply", "content types"],
      run: async (storage) => {
        await put(storage, "a.md", "1", { contentType: "text/x-own" });
        const bytes = bytesOf("two");
        const [info] = await applyTo(storage, [{ kind: "modify", path: "a.md", bytes }]);
        bytes.fill(0);
        same([info?.contentType, await textAt(storage, "a.md")], ["text/x-own", "two"], "type and text");
      },
    },
    {
      name: "holds binary files, and a few hundred mutations",
      needs: ["writing", "apply"],
      run: async (storage) => {
        const many = Array.from({ length: 300 }, (_, index): Mutation => ({ kind: "create", path: `many/${index % 7}/${index}`, bytes: Uint8Array.of(index % 256, 0xff, 0) }));
        const infos = await applyTo(storage, many);
        same([infos.length, (await storage.list()).length], [300, 300], "files");
        await applyTo(storage, infos.map((info) => remove(info.path, info.version)));
        same(await allPaths(storage), [], "files left");
      },
    },
  ],
};

export const recordCases: CaseGroup = {
  topic: "record",
  cases: [
    {
      name: "takes a denied event of a file that is not there, and changes no file",
      needs: ["record"],
      run: async (storage) => {
        if (storage.record === undefined) throw new HangoError("unsupported", "record is absent");
        await storage.record({ action: "file.write", outcome: "denied", path: "memories/a.md", reason: "reserved" }, { origin: { actor: "agent" } });
        same(await allPaths(storage), [], "files");
      },
    },
  ],
};
