/** An abort is the caller's own reason, untouched, and nothing is written after it. */
import type { CallOptions, Storage } from "../../storage.ts";
import { parseGlob } from "../../text/glob.ts";
import { parsePattern } from "../../text/pattern/pattern.ts";
import { holds, same } from "../assert.ts";
import { allPaths, bytesOf, type CaseGroup } from "../case.ts";

type Calls = Readonly<Record<string, (storage: Storage, options: CallOptions) => Promise<unknown> | undefined>>;

const READS: Calls = {
  list: (storage, options) => storage.list(options),
  read: (storage, options) => storage.read("a", options),
  stat: (storage, options) => storage.stat("a", options),
  ls: (storage, options) => storage.ls("", options),
  lines: (storage, options) => storage.lines("a", { offset: 1, limit: 1, column: 1, maxLineChars: 10, ...options }),
  glob: (storage, options) => storage.glob({ pattern: parseGlob("*"), root: "", limit: 1, ...options }),
  grep: (storage, options) => storage.grep({ pattern: parsePattern("x"), root: "", context: 0, limit: 1, ...options }),
  search: (storage, options) => storage.search?.paths("x", options),
};
const WRITES: Calls = {
  write: (storage, options) => storage.write("n", bytesOf("x"), options),
  delete: (storage, options) => storage.delete("a", options),
  apply: (storage, options) => storage.apply?.([{ kind: "create", path: "m", bytes: bytesOf("x") }], options),
};

async function rethrows(calls: Calls, storage: Storage): Promise<void> {
  const reason = new Error("the caller stopped");
  for (const [name, call] of Object.entries(calls)) {
    const running = call(storage, { signal: AbortSignal.abort(reason) });
    if (running === undefined) continue;
    const thrown = await running.then(
      () => undefined,
      (error: unknown) => error,
    );
    holds(thrown === reason, `${name} answered ${String(thrown)} and not the reason of the abort`);
  }
}

export const abortCases: CaseGroup = {
  topic: "abort",
  cases: [
    { name: "rethrows signal.reason from every reading call", files: { a: "x" }, run: (storage) => rethrows(READS, storage) },
    {
      name: "rethrows signal.reason from every writing call, and writes nothing",
      needs: ["writing"],
      files: { a: "x" },
      run: async (storage) => {
        await rethrows(WRITES, storage);
        same(await allPaths(storage), ["a"], "files");
      },
    },
    {
      name: "works on with a signal that nobody aborts, and after an abort",
      needs: ["writing"],
      run: async (storage) => {
        const { signal } = new AbortController();
        await storage.write("a", bytesOf("x"), { signal });
        same(await storage.list({ signal }).then((infos) => infos.length), 1, "files");
        await rethrows(READS, storage);
        same(await allPaths(storage), ["a"], "files after an abort");
      },
    },
  ],
};
