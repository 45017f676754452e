/** storageConformance binds the cases to a test runner and to one storage. */
import { assertStorage, isStorage } from "../contract/define-storage.ts";
import { isHangoError } from "../errors.ts";
import { contentTypeFor } from "../path/content-type.ts";
import type { Storage } from "../storage.ts";
import { holds, refused } from "./assert.ts";
import { bytesOf, type Need, type StorageCase } from "./case.ts";
import { storageCases } from "./cases/index.ts";
import { differentialCase } from "./differential.ts";
import { runModel } from "./model.ts";
import { freshSeed } from "./random.ts";

export interface TestRunner {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => Promise<void>) => void;
}

export interface ConformanceSubject {
  readonly name: string;
  /** A fresh storage holding these files; it is closed after its case. */
  readonly create: (files?: Readonly<Record<string, string>>) => Storage | Promise<Storage>;
  /** What it is known to lack, so that skipped cases say so in their names; what is not said is found out. */
  readonly lacks?: readonly Need[];
  /** Repeats a generated tree and model run from the seed that a failure printed. */
  readonly seed?: number;
}

type Lacking = ReadonlySet<Need>;

/**
 * Registers every conformance case for a storage. A case that needs what the storage lacks is named "skipped: … is absent" and passes;
 * where that shows only once an asynchronous `create` has answered, the runner's own skip is used, or the console.
 */
export function storageConformance(runner: TestRunner, subject: ConformanceSubject): void {
  const seed = subject.seed ?? freshSeed();
  const first = firstLook(subject);
  const known = new Set([...(subject.lacks ?? []), ...first.missing]);
  const probed = once(() => probe(subject));
  const register = (topic: string, one: StorageCase): void => {
    const absent = one.needs?.find((need) => known.has(need));
    if (absent !== undefined) {
      runner.it(`skipped: ${absent} is absent (${topic}: ${one.name})`, async () =>
        holds((await probed()).has(absent), `${subject.name} has ${absent}, though its subject says it lacks it`),
      );
      return;
    }
    runner.it(`${topic}: ${one.name}`, async (context?: unknown) => {
      const lacking = await probed();
      const need = one.needs?.find((name) => lacking.has(name));
      if (need === undefined) await withStorage(subject, one.files, one.run);
      else reportSkip(context, `skipped: ${need} is absent (${topic}: ${one.name})`);
    });
  };
  runner.describe(`${subject.name} is a storage`, () => {
    runner.it("writing: takes a write, or answers read_only to each write", async () => {
      for (const end of await first.closed) if (end.status === "rejected") throw end.reason;
      if ((await probed()).has("writing")) await withStorage(subject, { a: "x" }, refusesWrites);
    });
    for (const { topic, cases } of storageCases) for (const one of cases) register(topic, one);
    register("accelerators", differentialCase(seed));
    register("model", {
      name: "agrees with a Map on random operations",
      needs: ["writing", "versions"],
      run: async (storage) => runModel(storage, { seed, contentTypes: !(await probed()).has("content types") }),
    });
  });
}

async function withStorage(
  subject: ConformanceSubject,
  files: Readonly<Record<string, string>> | undefined,
  run: (storage: Storage) => Promise<unknown>,
): Promise<void> {
  const storage: Storage = await subject.create(files ?? {});
  assertStorage(storage, `What create of ${subject.name} gives`);
  try {
    await run(storage);
  } finally {
    await storage.close?.();
  }
}

interface FirstLook {
  readonly missing: readonly Need[];
  /** Settles when the storage that was looked at is closed again. */
  readonly closed: Promise<readonly PromiseSettledResult<unknown>[]>;
}

/** The features that a synchronously made storage shows it lacks, before any case has run. */
function firstLook(subject: ConformanceSubject): FirstLook {
  let storage: Storage | Promise<Storage>;
  try {
    storage = subject.create({});
  } catch {
    // It may be too early to make one, before the runner's own set-up. If it can't be made later either, each case says why.
    return { missing: [], closed: Promise.resolve([]) };
  }
  if (storage instanceof Promise) {
    const tooEarly = (): undefined => undefined; // as above
    return { missing: [], closed: Promise.allSettled([storage.then((late) => (isStorage(late) ? late.close?.() : undefined), tooEarly)]) };
  }
  // Each case says what is wrong with it.
  if (!isStorage(storage)) return { missing: [], closed: Promise.resolve([]) };
  const missing = (["search", "apply", "record"] as const).filter((feature) => storage[feature] === undefined);
  return { missing, closed: Promise.allSettled([storage.close?.()]) };
}

/** Finds out what a storage lacks by trying it. */
async function probe(subject: ConformanceSubject): Promise<Lacking> {
  // A part of a larger tree has less room for paths. It has to say so: whatever else refuses the longest ones is at fault.
  const lacking = new Set<Need>(subject.lacks?.filter((need) => need === "longest paths"));
  await withStorage(subject, {}, async (storage) => {
    for (const feature of ["search", "apply", "record"] as const) if (storage[feature] === undefined) lacking.add(feature);
    try {
      const info = await storage.write("probe.md", bytesOf("x"), { contentType: "text/x-probe" });
      // It may derive types from names alone; any other answer is a fault, which the cases find.
      if (info.contentType === contentTypeFor("probe.md")) lacking.add("content types");
      await storage.write("probe.md", bytesOf("y"), { ifVersion: info.version });
    } catch (error) {
      if (isHangoError(error, "read_only")) for (const need of ["writing", "content types"] as const) lacking.add(need);
      else if (isHangoError(error, "unsupported")) lacking.add("versions");
      else throw error;
    }
  });
  return lacking;
}

async function refusesWrites(storage: Storage): Promise<void> {
  await refused("read_only", () => storage.write("a", bytesOf("y")), "write over a file");
  await refused("read_only", () => storage.write("b", bytesOf("y")), "write of a new file");
  await refused("read_only", () => storage.delete("a"), "delete");
  await refused("invalid_path", () => storage.write("../b", bytesOf("y")), "write of a bad path");
  const { apply } = storage;
  if (apply !== undefined) await refused("read_only", () => apply([{ kind: "create", path: "b", bytes: bytesOf("y") }]), "apply");
  holds((await storage.list()).length === 1, "a refused write left something behind");
}

/** Tells of a case that could not run: by the runner's own skip, or else on the console. */
export function reportSkip(context: unknown, reason: string): void {
  const skip = (context as { readonly skip?: unknown } | undefined)?.skip;
  if (typeof skip === "function") skip.call(context, reason);
  else console.info(reason);
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= run());
}
