/** apply: all or nothing, and every path that is stale is named. */
import { HangoError } from "../../errors.ts";
import type { FileInfo, Mutation, Storage } from "../../storage.ts";
import { holds, refused, same } from "../assert.ts";
import { allPaths, bytesOf, type CaseGroup, infoKey, outcomes, put, textAt } from "../case.ts";

function applyTo(storage: Storage, mutations: readonly Mutation[]): Promise<readonly FileInfo[]> {
  if (storage.apply === undefined) throw new HangoError("unsupported", "apply is absent");
  return storage.apply(mutations);
}

const create = (path: string, text: string): Mutation => ({ kind: "create", path, bytes: bytesOf(text) });
const modify = (path: string, text: string, ifVersion?: string): Mutation => ({
  kind: "modify",
  path,
  bytes: bytesOf(text),
  ...(ifVersion === undefined ? {} : { ifVersion }),
});
const remove = (path: string, ifVersion?: string): Mutation => ({ kind: "delete", path, ...(ifVersion === undefined ? {} : { ifVersion }) });

async function state(storage: Storage): Promise<unknown> {
  return (await storage.list()).map(infoKey);
}

export const applyCases: CaseGroup = {
  topic: "apply",
  cases: [
    {
      name: "creates, modifies and deletes at once, and answers infos in the order given",
      needs: ["writing", "apply"],
      files: { "b.txt": "old", "c.txt": "gone" },
      run: async (storage) => {
        const infos = await applyTo(storage, [create("z/new.txt", "new"), remove("c.txt"), modify("b.txt", "changed"), create("a.txt", "first")]);
        same(
          infos.map((info) => [info.path, info.sizeBytes]),
          [
            ["z/new.txt", 3],
            ["b.txt", 7],
            ["a.txt", 5],
          ],
          "infos",
        );
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
        const error = await refused(
          "conflict",
          () => applyTo(storage, [create("new", "n"), modify("a", "x", stale.get("a")), modify("b", "y", stale.get("b")), remove("c", stale.get("c"))]),
          "stale",
        );
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
      name: "tells apart directories that a locale takes for one: a file deleted below B frees nothing below b",
      needs: ["writing", "apply"],
      files: { "B/x": "1", "b/y": "2", "a-/x": "3", "a/y": "4" },
      run: async (storage) => {
        const before = await state(storage);
        await refused("not_a_file", () => applyTo(storage, [remove("B/x"), create("b", "over the directory of b/y")]), "capitals");
        await refused("not_a_file", () => applyTo(storage, [remove("a-/x"), create("a", "over the directory of a/y")]), "punctuation");
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
        const many = Array.from({ length: 300 }, (_, index): Mutation => ({
          kind: "create",
          path: `many/${index % 7}/${index}`,
          bytes: Uint8Array.of(index % 256, 0xff, 0),
        }));
        const infos = await applyTo(storage, many);
        same([infos.length, (await storage.list()).length], [300, 300], "files");
        await applyTo(
          storage,
          infos.map((info) => remove(info.path, info.version)),
        );
        same(await allPaths(storage), [], "files left");
      },
    },
    {
      name: "lets exactly one of several applies with one version win, whole",
      needs: ["writing", "apply", "versions"],
      files: { shared: "start" },
      run: async (storage) => {
        for (let round = 0; round < 5; round++) {
          const version = (await storage.read("shared")).info.version;
          const ends = await outcomes(
            Array.from({ length: 6 }, (_, index) => applyTo(storage, [create(`made/${round}/${index}`, "x"), modify("shared", `writer ${index}`, version)])),
          );
          same([...ends].sort(), [...Array.from({ length: 5 }, () => "conflict"), "ok"], "outcomes");
          same(
            [await textAt(storage, "shared"), (await storage.list({ prefix: `made/${round}` })).map((info) => info.path)],
            [`writer ${ends.indexOf("ok")}`, [`made/${round}/${ends.indexOf("ok")}`]],
            "files",
          );
        }
      },
    },
    {
      name: "meets single writes in one order: no call hangs, none is lost, no file stands below a file",
      needs: ["writing", "apply"],
      run: async (storage) => {
        for (let round = 0; round < 6; round++) {
          const [at, below] = [`r${round}`, `r${round}/b`];
          const ends = await outcomes([
            applyTo(storage, [create(below, "1"), create(`q${round}`, "1")]),
            put(storage, at, "2"),
            applyTo(storage, [create(`q${round}/x`, "3"), create(`s${round}`, "3")]),
          ]);
          const files = (await storage.list()).map((info) => info.path);
          same([files.includes(below), files.includes(`q${round}`)], [ends[0] === "ok", ends[0] === "ok"], "the first apply, whole or not at all");
          same([files.includes(`q${round}/x`), files.includes(`s${round}`)], [ends[2] === "ok", ends[2] === "ok"], "the second apply, whole or not at all");
          same(files.includes(at), ends[1] === "ok", "the write");
          holds(!files.some((file) => files.some((other) => other.startsWith(`${file}/`))), `a file is below a file: ${files.join(", ")}`);
          for (const end of ends) holds(end === "ok" || end === "not_a_file" || end === "not_a_directory", `outcome ${end}`);
        }
      },
    },
  ],
};
