/** Compare-and-swap: one precondition, three outcomes, and a token that never matches twice. */
import type { FileInfo, Storage } from "../../storage.ts";
import { holds, refused, same } from "../assert.ts";
import { allPaths, type CaseGroup, put, textAt } from "../case.ts";

const VERSION = /^[A-Za-z0-9._~-]{1,128}$/;

async function refusedAsStale(storage: Storage, path: string, version: string, what: string): Promise<void> {
  await refused("conflict", () => put(storage, path, "stale", { ifVersion: version }), `write, ${what}`);
  await refused("conflict", () => storage.delete(path, { ifVersion: version }), `delete, ${what}`);
}

export const versionCases: CaseGroup = {
  topic: "versions",
  cases: [
    {
      name: "gives every file a version of 1 to 128 plain characters",
      files: { "a.txt": "x", "b/c": "y" },
      run: async (storage) => {
        for (const info of await storage.list()) holds(VERSION.test(info.version), `version ${JSON.stringify(info.version)} of ${info.path}`);
      },
    },
    {
      name: "changes the version with each write, also one of equal bytes",
      needs: ["writing", "versions"],
      run: async (storage) => {
        const seen = new Set<string>();
        for (const text of ["one", "two", "two", "one"]) seen.add((await put(storage, "a", text)).version);
        same(seen.size, 4, "distinct versions");
      },
    },
    {
      name: "writes over the version it is given and refuses any other with conflict and the current token",
      needs: ["writing", "versions"],
      run: async (storage) => {
        const first = await put(storage, "a", "one");
        const second = await put(storage, "a", "two", { ifVersion: first.version });
        const error = await refused("conflict", () => put(storage, "a", "three", { ifVersion: first.version }), "stale");
        same(error.details?.["currentVersion"], second.version, "details.currentVersion");
        same(await textAt(storage, "a"), "two", "content");
      },
    },
    {
      name: "creates only, with absent, and refuses over a file with already_exists",
      needs: ["writing", "versions"],
      run: async (storage) => {
        await put(storage, "a", "one", { ifVersion: "absent" });
        await refused("already_exists", () => put(storage, "a", "two", { ifVersion: "absent" }), "over a file");
        same(await textAt(storage, "a"), "one", "content");
        await storage.delete("a");
        await put(storage, "a", "three", { ifVersion: "absent" });
        same(await textAt(storage, "a"), "three", "content after a delete");
      },
    },
    {
      name: "creates neither over a directory nor below a file",
      needs: ["writing", "versions"],
      files: { "d/e": "x", f: "y" },
      run: async (storage) => {
        await refused("not_a_file", () => put(storage, "d", "z", { ifVersion: "absent" }), "over a directory");
        await refused("not_a_directory", () => put(storage, "f/g", "z", { ifVersion: "absent" }), "below a file");
        same(await allPaths(storage), ["d/e", "f"], "files");
      },
    },
    {
      name: "refuses a token of a deleted and recreated file, also with the same content",
      needs: ["writing", "versions"],
      run: async (storage) => {
        const old: FileInfo[] = [];
        for (let round = 0; round < 4; round++) {
          old.push(await put(storage, "a", "same"));
          await storage.delete("a");
        }
        const current = await put(storage, "a", "same");
        for (const info of old) await refusedAsStale(storage, "a", info.version, "recreated");
        same([new Set([...old, current].map((info) => info.version)).size, await textAt(storage, "a")], [5, "same"], "no token twice");
      },
    },
    {
      name: "answers conflict for a version of a file that is gone or was never there",
      needs: ["writing", "versions"],
      run: async (storage) => {
        const info = await put(storage, "a", "x");
        await storage.delete("a", { ifVersion: info.version });
        await refusedAsStale(storage, "a", info.version, "deleted");
        await refusedAsStale(storage, "never", info.version, "never there");
        same(await allPaths(storage), [], "files");
      },
    },
    {
      name: "answers not_a_file, and not that the file was deleted, for a version where a directory stands now",
      needs: ["writing", "versions"],
      run: async (storage) => {
        const { version } = await put(storage, "a", "x");
        await storage.delete("a");
        await put(storage, "a/b", "y");
        for (const token of [version, "no-such-version.1"]) {
          await refused("not_a_file", () => put(storage, "a", "stale", { ifVersion: token }), "write");
          await refused("not_a_file", () => storage.delete("a", { ifVersion: token }), "delete");
        }
        same([await allPaths(storage), await textAt(storage, "a/b")], [["a/b"], "y"], "files");
      },
    },
    {
      name: "refuses another file's token, and a token of no storage, without writing",
      needs: ["writing", "versions"],
      run: async (storage) => {
        await put(storage, "a", "one");
        const other = await put(storage, "b", "two");
        await refusedAsStale(storage, "a", other.version, "another file's");
        await refusedAsStale(storage, "a", "no-such-version.1", "foreign");
        for (const token of ["", "a b", "*", "'; --", "x".repeat(129)]) {
          await refused(
            ["conflict", "invalid_argument"],
            () => put(storage, "a", "no", { ifVersion: token }),
            `malformed ${JSON.stringify(token.slice(0, 9))}`,
          );
          await refused(["conflict", "invalid_argument"], () => storage.delete("a", { ifVersion: token }), `malformed ${JSON.stringify(token.slice(0, 9))}`);
        }
        same([await textAt(storage, "a"), await textAt(storage, "b")], ["one", "two"], "contents");
      },
    },
    {
      name: "keeps the version through reads",
      needs: ["versions"],
      files: { a: "x" },
      run: async (storage) => {
        const [before] = await storage.list();
        await storage.read("a");
        await storage.stat("a");
        same((await storage.list())[0]?.version, before?.version, "version");
      },
    },
  ],
};
