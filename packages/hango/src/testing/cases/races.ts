/** Calls in flight together: each is whole, and of those that exclude each other one wins. */
import { holds, same } from "../assert.ts";
import { allPaths, type CaseGroup, outcomes, put, textAt } from "../case.ts";

export const raceCases: CaseGroup = {
  topic: "calls in flight together",
  cases: [
    {
      name: "writes many files into a directory that is not there yet",
      needs: ["writing"],
      run: async (storage) => {
        const paths = Array.from({ length: 12 }, (_, index) => `new/dir/${String(index).padStart(2, "0")}`);
        await Promise.all(paths.map((path) => put(storage, path, path)));
        same(await allPaths(storage), paths, "files");
        for (const path of paths) same(await textAt(storage, path), path, path);
      },
    },
    {
      name: "lets exactly one of several writers with one version win, and keeps the winner's bytes",
      needs: ["writing", "versions"],
      run: async (storage) => {
        for (let round = 0; round < 5; round++) {
          const { version } = await put(storage, "a", "start");
          const ends = await outcomes(Array.from({ length: 8 }, (_, index) => put(storage, "a", `writer ${index}`, { ifVersion: version })));
          same([...ends].sort(), [...Array.from({ length: 7 }, () => "conflict"), "ok"], "outcomes");
          same(await textAt(storage, "a"), `writer ${ends.indexOf("ok")}`, "content");
        }
      },
    },
    {
      name: "lets exactly one of several creates win",
      needs: ["writing", "versions"],
      run: async (storage) => {
        for (let round = 0; round < 5; round++) {
          const ends = await outcomes(Array.from({ length: 8 }, (_, index) => put(storage, `d/${round}`, `writer ${index}`, { ifVersion: "absent" })));
          same([...ends].sort(), [...Array.from({ length: 7 }, () => "already_exists"), "ok"], "outcomes");
          same(await textAt(storage, `d/${round}`), `writer ${ends.indexOf("ok")}`, "content");
        }
      },
    },
    {
      name: "lets exactly one of a write and a delete with one version win",
      needs: ["writing", "versions"],
      run: async (storage) => {
        for (let round = 0; round < 8; round++) {
          const { version } = await put(storage, "a", "start");
          const [write, remove] = await outcomes([put(storage, "a", "kept", { ifVersion: version }), storage.delete("a", { ifVersion: version })]);
          same(
            [[write, remove].filter((end) => end === "ok").length, [write, remove].filter((end) => end === "conflict").length],
            [1, 1],
            `outcomes ${write}, ${remove}`,
          );
          same(await allPaths(storage), write === "ok" ? ["a"] : [], "files");
          if (write === "ok") await storage.delete("a");
        }
      },
    },
    {
      name: "keeps a file and a directory from sharing a name in a race",
      needs: ["writing"],
      run: async (storage) => {
        for (let round = 0; round < 10; round++) {
          const race = [`r${round}`, `r${round}/b`, `r${round}/b/c`, `r${round}/x/y/z`];
          const ends = await outcomes(race.map((path) => put(storage, path, path)));
          for (const end of ends) holds(end === "ok" || end === "not_a_file" || end === "not_a_directory", `outcome ${end}`);
          const files = (await storage.list({ prefix: `r${round}` })).map((info) => info.path);
          same(files, race.filter((_, index) => ends[index] === "ok").sort(), "exactly the acknowledged files");
          holds(files.length > 0 && !files.some((file) => files.some((other) => other.startsWith(`${file}/`))), `a file is below a file: ${files.join(", ")}`);
        }
      },
    },
    {
      name: "never shows half a write",
      needs: ["writing"],
      run: async (storage) => {
        const contents = ["a".repeat(40_000), "b".repeat(70_000)];
        await put(storage, "f", contents[0] as string);
        const writes = Array.from({ length: 6 }, (_, index) => put(storage, "f", contents[index % 2] as string));
        const reads = await Promise.all(Array.from({ length: 12 }, () => textAt(storage, "f")));
        await Promise.all(writes);
        holds(
          reads.every((text) => contents.includes(text)),
          "a read saw a mixture",
        );
      },
    },
  ],
};
