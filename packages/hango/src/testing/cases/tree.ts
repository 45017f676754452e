/** What the calls on one path answer: missing files, directories, siblings. */
import { holds, refused, same } from "../assert.ts";
import { allPaths, type CaseGroup, put, textAt } from "../case.ts";

export const treeCases: CaseGroup = {
  topic: "files and directories",
  cases: [
    {
      name: "answers not_found for a missing file, with its absolute path",
      files: { "a/b": "x" },
      run: async (storage) => {
        for (const path of ["nope", "a/nope", "a/b/c"]) {
          const error = await refused("not_found", () => storage.read(path), `read ${path}`);
          same([error.path, error.message.includes(`/${path}`)], [`/${path}`, true], "the path of the error");
          await refused("not_found", () => storage.lines(path, { offset: 1, limit: 1, column: 1, maxLineChars: 10 }), `lines ${path}`);
        }
      },
    },
    {
      name: "refuses to read a directory as a file",
      files: { "a/b/c": "x" },
      run: async (storage) => {
        for (const path of ["a", "a/b"]) await refused("not_a_file", () => storage.read(path), `read ${path}`);
      },
    },
    {
      name: "answers not_found for a delete of what is not there, and not_a_file for a directory",
      needs: ["writing"],
      files: { "a/b": "x" },
      run: async (storage) => {
        await refused("not_found", () => storage.delete("nope"), "a missing file");
        await refused("not_found", () => storage.delete("a/b/c"), "below a file");
        await refused("not_a_file", () => storage.delete("a"), "a directory");
        same(await allPaths(storage), ["a/b"], "files");
      },
    },
    {
      name: "deletes one file and nothing beside it",
      needs: ["writing"],
      files: { my_project: "1", "my_project.bak": "2", myXproject: "3", "d/x": "4", "d/xy": "5" },
      run: async (storage) => {
        await storage.delete("my_project");
        await storage.delete("d/x");
        same(await allPaths(storage), ["d/xy", "myXproject", "my_project.bak"], "files");
        await refused("not_found", () => storage.delete("d/x"), "a second delete");
      },
    },
    {
      name: "has a directory only as long as a file is below it",
      needs: ["writing"],
      run: async (storage) => {
        await put(storage, "a/b/c", "x");
        same((await storage.stat("a/b"))?.kind, "directory", "while it holds a file");
        await storage.delete("a/b/c");
        same([await storage.stat("a/b"), await storage.stat("a"), await storage.ls("")], [undefined, undefined, []], "after the last file");
        await put(storage, "a", "now a file");
        same(await textAt(storage, "a"), "now a file", "the name is free");
      },
    },
    {
      name: "overwrites: the last write wins when nothing is expected",
      needs: ["writing"],
      run: async (storage) => {
        const first = await put(storage, "a.txt", "one");
        const second = await put(storage, "a.txt", "second");
        same([await textAt(storage, "a.txt"), second.sizeBytes], ["second", 6], "content");
        holds(first.version !== second.version, "the version must change");
        const created = first.createdAt?.getTime();
        if (created !== undefined && second.createdAt !== undefined) same(second.createdAt.getTime(), created, "createdAt");
      },
    },
    {
      name: "keeps a file and a directory from sharing a name",
      needs: ["writing"],
      files: { "a/b.txt": "x", f: "y" },
      run: async (storage) => {
        await refused("not_a_file", () => put(storage, "a", "z"), "a file over a directory");
        const below = await refused("not_a_directory", () => put(storage, "f/g", "z"), "a file below a file");
        holds(below.message.includes("/f"), "the message names the file in the way");
        await refused("not_a_directory", () => put(storage, "f/g/h/i", "z"), "a file far below a file");
        same([await allPaths(storage), await textAt(storage, "a/b.txt"), await textAt(storage, "f")], [["a/b.txt", "f"], "x", "y"], "unchanged");
      },
    },
    {
      name: "lets names beside a directory's stand: a-, a., a0",
      needs: ["writing"],
      run: async (storage) => {
        for (const path of ["a/b", "a-", "a.", "a0", "a/b-", "a/b.c"]) await put(storage, path, path);
        same(await allPaths(storage), ["a-", "a.", "a/b", "a/b-", "a/b.c", "a0"], "files");
      },
    },
  ],
};
