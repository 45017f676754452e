/** search and record: present or absent, and what they mean when present. */
import { HangoError } from "../../errors.ts";
import type { Storage } from "../../storage.ts";
import { holds, refused, same } from "../assert.ts";
import { allPaths, type CaseGroup } from "../case.ts";

type Search = (...parameters: Parameters<NonNullable<Storage["search"]>["paths"]>) => Promise<readonly string[]>;

function searchOf(storage: Storage): Search {
  if (storage.search === undefined) throw new HangoError("unsupported", "search is absent");
  return storage.search.paths;
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
