import { afterEach, describe, expect, it, vi } from "vitest";
import { defineLayer } from "../contract/define-layer.ts";
import { defineStorage } from "../contract/define-storage.ts";
import { HangoError, isHangoError } from "../errors.ts";
import type { Storage, StorageImplementation } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { bytesOf, textOf } from "./case.ts";
import { type ConformanceSubject, storageConformance } from "./conformance.ts";
import { layerConformance, type LayerSubject } from "./layers.ts";
import { runModel } from "./model.ts";
import { scopedConformance } from "./scoped.ts";
import { withoutAccelerators } from "./without-accelerators.ts";

type Registered = readonly [name: string, body: () => Promise<void>];

function registered(
  bind: (runner: { describe: (name: string, body: () => void) => void; it: (name: string, body: () => Promise<void>) => void }) => void,
): readonly Registered[] {
  const tests: Registered[] = [];
  bind({ describe: (_, body) => body(), it: (name, body) => void tests.push([name, body]) });
  return tests;
}

async function failuresOf(tests: readonly Registered[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const [name, body] of tests)
    if (!name.includes("16 MiB")) await body().catch((error: unknown) => failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`));
  return failed;
}

async function fill(storage: Storage, files: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [path, text] of Object.entries(files)) await storage.write(path, bytesOf(text));
}

/** The parts of memory that a faulty storage puts one wrong thing in the place of. */
function faulty(fault: (memory: Storage) => Partial<StorageImplementation>): ConformanceSubject["create"] {
  return async (files) => {
    const memory = memoryStorage();
    await fill(memory, files);
    const { list, read, write, delete: remove, apply, search, stat, ls, lines, glob, grep } = memory;
    return defineStorage({ name: "faulty", list, read, write, delete: remove, apply, search, stat, ls, lines, glob, grep, ...fault(memory) });
  };
}

/** The options but one. */
function without<T extends object, K extends keyof T & string>(options: T | undefined, key: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => name !== key)) as Omit<T, K>;
}

const withoutMark = (bytes: Uint8Array): Uint8Array => (bytes[0] === 0xef ? bytes.slice(3) : bytes);

/** What is wrong, how it shows, and the topic of a case that must notice. */
const FAULTS: readonly (readonly [string, RegExp, (memory: Storage) => Partial<StorageImplementation>])[] = [
  ["a write that ignores ifVersion", /^versions:/, (memory) => ({ write: (path, bytes, options) => memory.write(path, bytes, without(options, "ifVersion")) })],
  ["a delete that ignores ifVersion", /^versions:/, (memory) => ({ delete: (path) => memory.delete(path) })],
  [
    "a write that ignores the content type",
    /^content types:/,
    (memory) => ({ write: async (path, bytes, options) => ({ ...(await memory.write(path, bytes, options)), contentType: "text/plain" }) }),
  ],
  [
    "a read that drops the byte order mark",
    /^content:/,
    (memory) => ({ read: async (path, options) => ((data) => ({ ...data, bytes: withoutMark(data.bytes) }))(await memory.read(path, options)) }),
  ],
  [
    "a read of a directory that says not_found",
    /^files and directories:/,
    (memory) => ({
      read: (path, options) =>
        memory.read(path, options).catch((error: unknown) => Promise.reject(isHangoError(error, "not_a_file") ? new HangoError("not_found", "gone") : error)),
    }),
  ],
  ["a list that counts hidden files towards the limit", /^list:/, (memory) => ({ list: (options) => memory.list(without(options, "filters")) })],
  [
    "a list in the order of UTF-16 units",
    /^list:/,
    (memory) => ({ list: async (options) => [...(await memory.list(options))].sort((a, b) => (a.path < b.path ? -1 : 1)) }),
  ],
  [
    "a list that takes the prefix as the start of a name and then stops at the limit",
    /^list:|^stat and ls:/,
    (memory) => ({
      list: async ({ prefix = "", limit, ...options } = {}) => (await memory.list(options)).filter((info) => info.path.startsWith(prefix)).slice(0, limit),
    }),
  ],
  [
    "a stat that shows a directory whose every file is hidden",
    /^stat and ls:/,
    (memory) => ({ stat: (path, options) => memory.stat(path, without(options, "filters")) }),
  ],
  [
    "an ls that drops the last entry",
    /^stat and ls:|^accelerators:/,
    (memory) => ({ ls: async (directory, options) => (await memory.ls(directory, options)).slice(0, -1) }),
  ],
  [
    "lines that keep CR",
    /^lines:/,
    (memory) => ({
      lines: async (path, query) =>
        ((page) => ({ ...page, lines: page.lines.map((line) => ({ ...line, text: `${line.text}\r` })) }))(await memory.lines(path, query)),
    }),
  ],
  [
    "a grep that counts columns in UTF-16 units",
    /^grep:|^accelerators:/,
    (memory) => ({
      grep: async (query) => (await memory.grep(query)).map((hit) => ({ ...hit, column: [...hit.text].slice(0, hit.column - 1).join("").length + 1 })),
    }),
  ],
  ["a grep that names no binary file", /^grep:/, (memory) => ({ grep: (query) => memory.grep(without(query, "onSkip")) })],
  [
    "a grep that stops one short of the limit",
    /^grep:/,
    (memory) => ({ grep: async (query) => (await memory.grep(query)).slice(0, Math.max(1, query.limit - 1)) }),
  ],
  ["a glob that hides dot files", /^glob:/, (memory) => ({ glob: async (query) => (await memory.glob(query)).filter((path) => !/(^|\/)\./.test(path)) })],
  [
    "a search with regard to nothing after the first hit",
    /^search:/,
    (memory) => ({ search: { syntax: "a word", paths: async (query, options) => ((await memory.search?.paths(query, options)) ?? []).slice(0, 1) } }),
  ],
  [
    "an apply that goes one by one",
    /^apply:/,
    (memory) => ({
      apply: async (mutations) => {
        const infos = [];
        for (const one of mutations) infos.push(...((await memory.apply?.([one])) ?? []));
        return infos;
      },
    }),
  ],
  [
    "a write that first deletes, so that two in flight both succeed",
    /^calls in flight together:|^versions:/,
    (memory) => ({
      write: async (path, bytes, { ifVersion, ...options } = {}) => {
        const stat = await memory.stat(path);
        const current = stat?.kind === "file" ? stat.info.version : undefined;
        if (ifVersion === "absent" && current !== undefined) throw new HangoError("already_exists", "there");
        if (ifVersion !== undefined && ifVersion !== "absent" && ifVersion !== current)
          throw new HangoError("conflict", "stale", { details: { currentVersion: current } });
        await Promise.resolve();
        return memory.write(path, bytes, options);
      },
    }),
  ],
];

describe("the conformance suite", () => {
  it("passes memory, with and without its accelerators", async () => {
    const create: ConformanceSubject["create"] = async (files) => {
      const memory = memoryStorage();
      await fill(memory, files);
      return memory;
    };
    expect(await failuresOf(registered((runner) => storageConformance(runner, { name: "memory", lacks: ["record"], create })))).toEqual([]);
    expect(
      await failuresOf(
        registered((runner) =>
          storageConformance(runner, { name: "memory", lacks: ["record"], create: async (files) => withoutAccelerators(await create(files)) }),
        ),
      ),
    ).toEqual([]);
  });

  it.each(FAULTS)("notices %s", async (_, topic, fault) => {
    const failed = await failuresOf(registered((runner) => storageConformance(runner, { name: "faulty", lacks: ["record"], create: faulty(fault) })));
    expect(
      failed.filter((name) => topic.test(name)),
      failed.join("\n"),
    ).not.toEqual([]);
  });
});

describe("what a storage lacks", () => {
  afterEach(() => vi.restoreAllMocks());
  const plain = (): Storage => {
    const { list, read, write, delete: remove } = memoryStorage();
    return defineStorage({ name: "plain", list, read, write, delete: remove });
  };

  it("shows in the names of the skipped cases when create answers at once", async () => {
    const tests = registered((runner) => storageConformance(runner, { name: "plain", create: plain }));
    for (const feature of ["search", "apply", "record"])
      expect(
        tests.some(([name]) => name.startsWith(`skipped: ${feature} is absent`)),
        feature,
      ).toBe(true);
    const skipped = tests.filter(([name]) => name.startsWith("skipped: "));
    expect(await failuresOf(skipped)).toEqual([]);
  });

  it("is reported by the runner's own skip, or on the console, when create is asynchronous", async () => {
    const told: string[] = [];
    const tests = registered((runner) =>
      storageConformance(runner, {
        name: "plain",
        create: async (files) => {
          const storage = plain();
          await fill(storage, files);
          return storage;
        },
      }),
    );
    const search = tests.find(([name]) => name.startsWith("search:"))?.[1] as (context?: unknown) => Promise<void>;
    await search({ skip: (reason: string) => void told.push(reason) });
    vi.spyOn(console, "info").mockImplementation((reason: string) => void told.push(reason));
    await search();
    expect(told).toEqual([expect.stringMatching(/^skipped: search is absent/), expect.stringMatching(/^skipped: search is absent/)]);
  });

  it("must be true: a subject that claims to lack what it has fails", async () => {
    const tests = registered((runner) => storageConformance(runner, { name: "memory", lacks: ["search", "record"], create: memoryStorage }));
    expect(await failuresOf(tests.filter(([name]) => name.startsWith("skipped: search")))).not.toEqual([]);
  });

  it("may be writing: the reading cases run, and each write must answer read_only", async () => {
    const readOnly =
      (refusal: () => Promise<never>): ConformanceSubject["create"] =>
      async (files) => {
        const memory = memoryStorage();
        await fill(memory, files);
        const { list, read, search } = memory;
        return defineStorage({ name: "frozen", list, read, write: refusal, delete: refusal, search });
      };
    const refuse = (): Promise<never> => Promise.reject(new HangoError("read_only", "frozen"));
    const lacks = ["writing", "content types", "apply", "record"] as const;
    const tests = registered((runner) => storageConformance(runner, { name: "frozen", lacks, create: readOnly(refuse) }));
    expect(tests.filter(([name]) => !name.startsWith("skipped: ")).length).toBeGreaterThan(40);
    expect(await failuresOf(tests)).toEqual([]);
    let writes = 0;
    const sometimes = (): Promise<never> => (writes++ === 0 ? refuse() : Promise.reject(new HangoError("forbidden", "frozen")));
    expect(await failuresOf(registered((runner) => storageConformance(runner, { name: "frozen", lacks, create: readOnly(sometimes) })))).toEqual([
      expect.stringMatching(/^writing:/),
    ]);
  });

  it("may be versions: a storage that can't honour ifVersion says unsupported", async () => {
    const create: ConformanceSubject["create"] = async (files) => {
      const { list, read, write, delete: remove } = memoryStorage();
      const storage = defineStorage({
        name: "plain disk",
        list,
        read,
        write: (path, bytes, { ifVersion, ...options } = {}) =>
          ifVersion === undefined ? write(path, bytes, options) : Promise.reject(new HangoError("unsupported", "no versions")),
        delete: (path, { ifVersion, ...options } = {}) =>
          ifVersion === undefined ? remove(path, options) : Promise.reject(new HangoError("unsupported", "no versions")),
      });
      await fill(storage, files);
      return storage;
    };
    expect(
      await failuresOf(registered((runner) => storageConformance(runner, { name: "plain disk", lacks: ["versions", "search", "apply", "record"], create }))),
    ).toEqual([]);
  });
});

describe("scopedConformance", () => {
  const namespaces = [
    { tenantId: "t1", agentId: "a1" },
    { tenantId: "t1", agentId: "a2" },
  ] as const;
  it("notices scopes that share a tree", async () => {
    const shared = memoryStorage();
    const failed = await failuresOf(
      registered((runner) =>
        scopedConformance(runner, { name: "shared", create: () => ({ storage: { name: "shared", scope: () => shared }, scopes: namespaces }) }),
      ),
    );
    expect(failed.length).toBeGreaterThan(5);
  });
});

describe("layerConformance", () => {
  const layer =
    (change: (inner: Storage) => Partial<StorageImplementation>): LayerSubject["wrap"] =>
    (inner) => {
      const { name, list, read, write, delete: remove, search, apply, record, close, stat, ls, lines, glob, grep } = inner;
      return defineLayer({ name, list, read, write, delete: remove, search, apply, record, close, stat, ls, lines, glob, grep, ...change(inner) });
    };
  const run = (wrap: LayerSubject["wrap"]): Promise<readonly string[]> =>
    failuresOf(registered((runner) => layerConformance(runner, { name: "a layer", wrap })));
  it("passes a layer that hands everything on", async () => expect(await run(layer(() => ({})))).toEqual([]));
  it("notices an origin that is lost or changed", async () => {
    expect(await run(layer((inner) => ({ delete: (path) => inner.delete(path) })))).not.toEqual([]);
    expect(
      await run(layer((inner) => ({ write: (path, bytes, options) => inner.write(path, bytes, { ...options, origin: { actor: "system" } }) }))),
    ).not.toEqual([]);
    expect(await run(layer((inner) => ({ ls: (directory, options) => inner.ls(directory, without(options, "signal")) })))).not.toEqual([]);
  });
});

describe("runModel", () => {
  it("repeats a run from its seed, and names seed, step and operations when it fails", async () => {
    const wrong = (): Storage => {
      const memory = memoryStorage();
      const { list, read, write, delete: remove } = memory;
      return defineStorage({ name: "wrong", list, read, delete: remove, write: (path, bytes, options) => write(path, textOf2(bytes), options) });
    };
    const message = async (): Promise<string> =>
      runModel(wrong(), { seed: 7 }).then(
        () => "passed",
        (error: unknown) => (error as Error).message,
      );
    const first = await message();
    expect(first).toMatch(/^seed 7, step \d+: /);
    expect((await message()).split("\n").length).toBe(first.split("\n").length);
    await runModel(memoryStorage(), { seed: 7 });
  });
});

/** Loses the last byte of every text of more than two. */
function textOf2(bytes: Uint8Array): Uint8Array {
  return bytes.length > 2 ? bytesOf(textOf(bytes.slice(0, 1)).slice(0, 1)) : bytes;
}
