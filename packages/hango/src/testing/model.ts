/** Random operations against a Map: what a storage answers, and what it holds after each, must be what the Map says. */
import { type ErrorCode, isHangoError } from "../errors.ts";
import { contentTypeFor } from "../path/content-type.ts";
import { comparePaths } from "../path/path.ts";
import type { FileInfo, Mutation, Storage } from "../storage.ts";
import { holds, print, same } from "./assert.ts";
import { bytesOf } from "./case.ts";
import { type Random, seededRandom } from "./random.ts";

export interface ModelOptions {
  readonly seed: number;
  /** Operations of the run. */
  readonly steps?: number;
  /** False for a storage that derives content types. */
  readonly contentTypes?: boolean;
}

interface Held {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly version: string;
}
type Files = ReadonlyMap<string, Held>;

const NAMES = ["a", "b", "a-", "B", "__proto__", "\uff61", "\u{1F600}", "%_", "x.md"] as const;
const TEXTS = ["", "one", "two\n", "\ufeffbom\r\n", "\u{1F600}"] as const;
const BINARIES = [Uint8Array.of(0), Uint8Array.of(0xff, 0xfe)] as const;

/** Runs one sequence. Errors: a failure names the seed, the step and the operations that led to it. */
export async function runModel(storage: Storage, { seed, steps = 80, contentTypes = true }: ModelOptions): Promise<void> {
  const random = seededRandom(seed);
  const files = new Map<string, Held>();
  const tokens = ["no-such-version.1"];
  const done: string[] = [];
  try {
    for (let step = 0; step < steps; step++) {
      const operation = randomOperation(random, files, tokens, storage.apply !== undefined);
      done.push(print(operation));
      await perform(storage, operation, { files, tokens, contentTypes });
      await compare(storage, random, files, contentTypes);
    }
  } catch (error) {
    throw new Error(
      `seed ${seed}, step ${done.length}: ${error instanceof Error ? error.message : String(error)}\nlast operations:\n${done.slice(-8).join("\n")}`,
      { cause: error },
    );
  }
}

type Operation =
  | { readonly op: "write"; readonly path: string; readonly bytes: Uint8Array; readonly ifVersion?: string; readonly contentType?: string }
  | { readonly op: "delete"; readonly path: string; readonly ifVersion?: string }
  | { readonly op: "apply"; readonly mutations: readonly Mutation[] };

function randomOperation(random: Random, files: Files, tokens: readonly string[], canApply: boolean): Operation {
  const path = (): string =>
    files.size > 0 && random.oneIn(2) ? random.pick([...files.keys()]) : Array.from({ length: 1 + random.below(3) }, () => random.pick(NAMES)).join("/");
  const version = (at: string): { readonly ifVersion?: string } => {
    if (random.oneIn(2)) return {};
    return { ifVersion: random.oneIn(3) ? random.pick(tokens) : (files.get(at)?.version ?? random.pick(tokens)) };
  };
  const bytes = (): Uint8Array => (random.oneIn(5) ? random.pick(BINARIES) : bytesOf(random.pick(TEXTS)));
  const type = random.oneIn(6) ? { contentType: "text/x-own" } : {};
  const at = path();
  if (canApply && random.oneIn(4)) {
    const paths = new Set(Array.from({ length: 1 + random.below(4) }, path));
    return {
      op: "apply",
      mutations: [...paths].map((one): Mutation =>
        random.oneIn(3)
          ? { kind: "delete", path: one, ...version(one) }
          : files.has(one) !== random.oneIn(8)
            ? { kind: "modify", path: one, bytes: bytes(), ...version(one) }
            : { kind: "create", path: one, bytes: bytes() },
      ),
    };
  }
  if (random.oneIn(4)) return { op: "delete", path: at, ...version(at) };
  return { op: "write", path: at, bytes: bytes(), ...type, ...(random.oneIn(5) ? { ifVersion: "absent" } : version(at)) };
}

interface State {
  readonly files: Map<string, Held>;
  readonly tokens: string[];
  readonly contentTypes: boolean;
}

async function perform(storage: Storage, operation: Operation, state: State): Promise<void> {
  const codes = expectedCodes(operation, state.files);
  let infos: readonly FileInfo[];
  try {
    infos = await run(storage, operation);
  } catch (error) {
    holds(
      isHangoError(error) && codes.includes(error.code),
      `want ${codes.length === 0 ? "success" : codes.join(" or ")}, got ${isHangoError(error) ? `${error.code}: ${error.message}` : String(error)}`,
    );
    return;
  }
  same(codes, [], "refusals the storage did not make");
  const before = new Map(state.files);
  const wanted = changesOf(operation);
  for (const { path } of wanted) state.files.delete(path);
  const written = wanted.filter((change) => change.bytes !== undefined);
  same(
    infos.map((info) => info.path),
    written.map((change) => change.path),
    "paths of the infos answered",
  );
  for (const [index, { path, bytes = new Uint8Array(), contentType }] of written.entries()) {
    const info = infos[index] as FileInfo;
    holds(!state.tokens.includes(info.version), `version ${info.version} was given out before`);
    state.tokens.push(info.version);
    const expected = contentType ?? before.get(path)?.contentType ?? derivedType(path, bytes);
    if (state.contentTypes) same(info.contentType, expected, `content type of ${path}`);
    state.files.set(path, { bytes, contentType: state.contentTypes ? expected : info.contentType, version: info.version });
  }
}

async function run(storage: Storage, operation: Operation): Promise<readonly FileInfo[]> {
  switch (operation.op) {
    case "write": {
      const { path, bytes, ifVersion, contentType } = operation;
      return [await storage.write(path, bytes, { ...(ifVersion === undefined ? {} : { ifVersion }), ...(contentType === undefined ? {} : { contentType }) })];
    }
    case "delete":
      await storage.delete(operation.path, operation.ifVersion === undefined ? {} : { ifVersion: operation.ifVersion });
      return [];
    case "apply":
      return storage.apply?.(operation.mutations) ?? [];
  }
}

function changesOf(operation: Operation): readonly { readonly path: string; readonly bytes?: Uint8Array; readonly contentType?: string }[] {
  if (operation.op === "apply")
    return operation.mutations.map((mutation) => ("bytes" in mutation ? { path: mutation.path, bytes: mutation.bytes } : { path: mutation.path }));
  return [operation];
}

/** Every refusal that fits; none means it must succeed. Which of several a storage gives is its own business. */
function expectedCodes(operation: Operation, files: Files): readonly ErrorCode[] {
  if (operation.op !== "apply") return codesOf(operation, files, files);
  const after = new Map(files);
  for (const mutation of operation.mutations) {
    if ("bytes" in mutation) after.set(mutation.path, { bytes: mutation.bytes, contentType: "", version: "" });
    else after.delete(mutation.path);
  }
  const codes = operation.mutations.flatMap((mutation): readonly ErrorCode[] => {
    if (mutation.kind === "delete") return codesOf({ ...mutation, op: "delete" }, files, after);
    const found = codesOf(
      {
        path: mutation.path,
        op: "write",
        bytes: mutation.bytes,
        ...(mutation.kind === "create" ? { ifVersion: "absent" } : mutation.ifVersion === undefined ? {} : { ifVersion: mutation.ifVersion }),
      },
      files,
      after,
    );
    return mutation.kind === "modify" && !files.has(mutation.path) ? [...found, "not_found", "conflict"] : found;
  });
  // One call names all that is stale, so a mixture of refusals may come as a conflict; a tree made impossible by the call itself is a wrong argument.
  return codes.length === 0
    ? codes
    : [...codes, "conflict", ...(codes.includes("not_a_file") || codes.includes("not_a_directory") ? (["invalid_argument"] as const) : [])];
}

function codesOf(operation: Exclude<Operation, { readonly op: "apply" }>, files: Files, after: Files): readonly ErrorCode[] {
  const { path, ifVersion } = operation;
  const file = files.get(path);
  const codes: ErrorCode[] = [];
  const isDirectory = (tree: Files): boolean => [...tree.keys()].some((other) => other.startsWith(`${path}/`));
  if (ifVersion === "absent") {
    if (file !== undefined) codes.push("already_exists");
  } else if (ifVersion !== undefined && file?.version !== ifVersion) codes.push(isDirectory(files) ? "not_a_file" : "conflict");
  if (operation.op === "delete") {
    if (file === undefined) codes.push(isDirectory(files) ? "not_a_file" : "not_found");
    return codes;
  }
  if (isDirectory(after)) codes.push("not_a_file");
  if ([...after.keys()].some((other) => path.startsWith(`${other}/`))) codes.push("not_a_directory");
  return codes;
}

function derivedType(path: string, bytes: Uint8Array): string {
  const isBinary = BINARIES.some((binary) => binary.length === bytes.length && binary.every((byte, index) => byte === bytes[index]));
  return contentTypeFor(path) || (isBinary ? "application/octet-stream" : "text/plain");
}

async function compare(storage: Storage, random: Random, files: Files, contentTypes: boolean): Promise<void> {
  const order = [...files.keys()].sort(comparePaths);
  const shown = (path: string, held: Held): unknown => [path, held.bytes.length, held.version, contentTypes ? held.contentType : ""];
  same(
    (await storage.list()).map((info) => [info.path, info.sizeBytes, info.version, contentTypes ? info.contentType : ""]),
    order.map((path) => shown(path, files.get(path) as Held)),
    "list",
  );
  if (order.length > 0) {
    const path = random.pick(order);
    same((await storage.read(path)).bytes, files.get(path)?.bytes, `read ${path}`);
  }
  const directory = random.oneIn(2) || order.length === 0 ? "" : random.pick(order).split("/").slice(0, -1).join("/");
  same(
    (await storage.ls(directory)).map((entry) => (entry.kind === "file" ? entry.info.path : `${entry.path}/`)),
    childrenOf(directory, order),
    `ls ${directory}`,
  );
}

function childrenOf(directory: string, order: readonly string[]): readonly string[] {
  const start = directory === "" ? "" : `${directory}/`;
  const below = order
    .filter((path) => path.startsWith(start))
    .map((path) => {
      const slash = path.indexOf("/", start.length);
      return slash < 0 ? path : path.slice(0, slash + 1);
    });
  return [...new Set(below)].sort(comparePaths);
}
