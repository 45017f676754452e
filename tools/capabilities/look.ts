/** Finds out what a storage can do by trying it; nothing is taken from what it says of itself. */
import { isHangoError } from "../../packages/hango/src/errors.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";

export interface Traits {
  readonly writes: boolean;
  readonly apply: boolean;
  readonly search: boolean;
  readonly record: boolean;
}

export interface Seen extends Traits {
  /** Whether another object over the same place sees a write: at once, when it is carried over, or never. */
  readonly kept: "at once" | "carried over" | "never";
}

/** A storage to try, with what lets a trial be checked from outside. */
export interface Specimen {
  readonly storage: Storage;
  /** The directory to try it in, "docs/", and what `other` calls the same directory; "" unless said. */
  readonly at?: string;
  readonly otherAt?: string;
  /** The same place seen by another object; absent where there is none. */
  readonly other?: Storage;
  /** Carries what was written over to `other`. */
  readonly carryOver?: () => Promise<unknown>;
  /** How many rows the record has. */
  readonly events?: () => Promise<number>;
  /** What a layer stands on: all of it, and the one that owns `at`. */
  readonly below?: { readonly all: readonly Traits[]; readonly owner: Traits };
}

/** What the files of a specimen with `search` have to hold already, in SEED_FILE. */
export const SEED_FILE = "seed.md";
export const SEED_TEXT = "a Needle in the hay\n";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Tries everything. Errors: a plain Error where the storage breaks a promise, which no cell of a table could say. */
export async function look(specimen: Specimen): Promise<Seen> {
  const apply = await appliesAll(specimen);
  const kept = await takesWrites(specimen);
  return { writes: kept !== undefined, kept: kept ?? "never", apply, search: await searches(specimen), record: await records(specimen) };
}

function mustHold(holds: boolean, { storage }: Specimen, what: string): void {
  if (!holds) throw new Error(`The storage "${storage.name}" does not do what the README says of each: ${what}.`);
}

/** The code of the refusal; undefined when it was done. */
async function refusal(run: Promise<unknown>): Promise<string | undefined> {
  try {
    await run;
    return undefined;
  } catch (error) {
    if (isHangoError(error)) return error.code;
    throw error;
  }
}

/** Undefined when it refuses writes; else how they are kept. Tries a stale version, and two writers of one version. */
async function takesWrites(specimen: Specimen): Promise<Seen["kept"] | undefined> {
  const { storage, at = "", carryOver, below } = specimen;
  const path = `${at}trial.md`;
  const code = await refusal(storage.write(path, bytesOf("1")));
  if (code !== undefined) {
    mustHold(code === "read_only", specimen, `a write is taken or answered with read_only, not ${code}`);
    return undefined;
  }
  const { version: stale } = (await storage.read(path)).info;
  const both = await Promise.all(["2", "3"].map((text) => refusal(storage.write(path, bytesOf(text), { ifVersion: stale }))));
  mustHold(new Set(both).size === 2 && both.includes(undefined) && both.includes("conflict"), specimen, "of two writers of one version one wins");
  const after = (await storage.read(path)).info.version;
  mustHold((await refusal(storage.write(path, bytesOf("4"), { ifVersion: stale }))) === "conflict", specimen, "a write over a stale version is a conflict");
  mustHold((await refusal(storage.delete(path, { ifVersion: stale }))) === "conflict", specimen, "a delete of a stale version is a conflict");
  mustHold((await storage.read(path)).info.version === after, specimen, "a refused change changes nothing");
  if (await showsElsewhere(specimen, "trial.md")) return "at once";
  if (carryOver === undefined || below?.owner.writes === false) return "never";
  await carryOver();
  return (await showsElsewhere(specimen, "trial.md")) ? "carried over" : "never";
}

async function showsElsewhere({ other, otherAt = "" }: Specimen, path: string): Promise<boolean> {
  return (await other?.stat(`${otherAt}${path}`)) !== undefined;
}

/** Tries one that must be refused whole, then one that must be done whole. */
async function appliesAll(specimen: Specimen): Promise<boolean> {
  const { storage, at = "" } = specimen;
  const { apply } = storage;
  if (apply === undefined) return false;
  const [first, second, missing] = ["first", "second", "missing"].map((name) => `${at}apply/${name}.md`) as [string, string, string];
  const there = async (path: string): Promise<boolean> => (await storage.stat(path)) !== undefined;
  const code = await refusal(
    apply([
      { kind: "create", path: first, bytes: bytesOf("1") },
      { kind: "modify", path: missing, bytes: bytesOf("1") },
    ]),
  );
  if (code === "read_only") return false;
  mustHold(code === "conflict" && !(await there(first)), specimen, "an apply that can't be done whole leaves nothing");
  await apply([first, second].map((path) => ({ kind: "create", path, bytes: bytesOf("1") })));
  mustHold((await there(first)) && (await there(second)), specimen, "an apply does all of it");
  return true;
}

/** True when a part of a word, in another case, finds the file. */
async function searches({ storage, at = "" }: Specimen): Promise<boolean> {
  return (await storage.search?.paths("nEEDL"))?.includes(`${at}${SEED_FILE}`) === true;
}

/** True when a row told to it is there afterwards. */
async function records({ storage, at = "", events }: Specimen): Promise<boolean> {
  if (storage.record === undefined || events === undefined) return false;
  const before = await events();
  await storage.record({ action: "file.write", outcome: "denied", path: `${at}refused.md`, reason: "reserved" }, { origin: { actor: "agent" } });
  return (await events()) > before;
}
