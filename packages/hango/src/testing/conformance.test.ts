import { afterEach, describe, expect, it, vi } from "vitest";
import { defineLayer } from "../contract/define-layer.ts";
import { defineStorage } from "../contract/define-storage.ts";
import { HangoError } from "../errors.ts";
import type { Storage, StorageImplementation } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { failuresOf, fill, registered, without } from "./collect.test-support.ts";
import { type ConformanceSubject, storageConformance } from "./conformance.ts";
import { layerConformance, type LayerSubject } from "./layers.ts";
import { runModel } from "./model.ts";
import { scopedConformance } from "./scoped.ts";
import { withoutAccelerators } from "./without-accelerators.ts";

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

describe("a factory that gives no storage", () => {
  const { list, read, write, delete: remove } = memoryStorage();
  const raw = { name: "raw", list, read, write, delete: remove } as unknown as Storage;
  it('is named in each case: "Cannot read properties of undefined"', async () => {
    for (const made of [raw, undefined as never, { name: "db", scope: () => raw } as never])
      for (const create of [() => made, async () => made]) {
        const tests = registered((runner) => storageConformance(runner, { name: "raw", create }));
        const failed = await failuresOf(tests.slice(0, 4));
        expect(failed).toEqual(Array.from({ length: 4 }, () => expect.stringContaining("What create of raw gives must be a Storage")));
      }
  });
  it("is named for a scope too", async () => {
    const create = () => ({
      storage: { name: "raw", scope: () => raw },
      scopes: [
        { tenantId: "t", agentId: "a" },
        { tenantId: "t", agentId: "b" },
      ] as const,
    });
    const failed = await failuresOf(registered((runner) => scopedConformance(runner, { name: "raw", create })));
    expect(new Set(failed.map((text) => text.includes("What a scope of raw gives must be a Storage")))).toEqual(new Set([true]));
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
  it("notices what glob and grep lose, of which it saw nothing", async () => {
    for (const lost of ["origin", "signal", "filters"] as const) {
      expect(await run(layer((inner) => ({ glob: (query) => inner.glob(without(query, lost)) })))).toEqual([expect.stringContaining("glob")]);
      expect(await run(layer((inner) => ({ grep: (query) => inner.grep(without(query, lost)) })))).toEqual([expect.stringContaining("grep")]);
    }
    expect(await run(layer((inner) => ({ list: (options) => inner.list(without(options, "filters")) })))).toEqual([expect.stringContaining("list")]);
  });
  it("names the features that a layer lacks as skipped", async () => {
    const told: string[] = [];
    const info = vi.spyOn(console, "info").mockImplementation((reason: string) => void told.push(reason));
    expect(await run(layer(() => ({ search: undefined, record: undefined })))).toEqual([]);
    info.mockRestore();
    expect(told).toEqual(["skipped: record is absent (a layer)", "skipped: search is absent (a layer)"]);
  });
});

describe("runModel", () => {
  it("repeats a run from its seed, and names seed, step and operations when it fails", async () => {
    const wrong = (): Storage => {
      const memory = memoryStorage();
      const { list, read, write, delete: remove } = memory;
      return defineStorage({ name: "wrong", list, read, delete: remove, write: (path, bytes, options) => write(path, cutShort(bytes), options) });
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

/** Keeps only the first byte of what is longer than two. */
function cutShort(bytes: Uint8Array): Uint8Array {
  return bytes.length > 2 ? bytes.slice(0, 1) : bytes;
}
