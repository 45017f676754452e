/** What each operation of a Storage must answer, behind whichever door. */
import type { ErrorCode } from "../../packages/hango/src/errors.ts";
import type { FileInfo } from "../../packages/hango/src/storage.ts";
import { bytesOf, MAX_FILE_BYTES, textOf } from "./contents.ts";
import { type Effect, type Expectation, isRefusal, type Refusal, refusal } from "./expectation.ts";
import { globModel, grepModel, linesModel, searchModel } from "./model-search.ts";
import type { Door, MutationPick, StorageOperation, VersionPick } from "./operation.ts";
import { isBadStoragePath, MAX_DEPTH } from "./paths.ts";
import { identities, mayChange, viewOf } from "./rules.ts";
import { aboveOf, allFiles, at, compareBytes, holdsBelow, isInside, kindAt, through, type Tree, type View } from "./tree.ts";

export interface Asked {
  readonly tree: Tree;
  readonly door: Door;
  /** The token that a pick stands for. */
  readonly version: (path: string, pick: VersionPick | undefined) => string | undefined;
}

export type Row = readonly [string, number, string, string, number | undefined, number | undefined];

/** An info as it is compared. */
export function infoRow({ path, sizeBytes, contentType, version, createdAt, updatedAt }: FileInfo): Row {
  return [path, sizeBytes, contentType, version, createdAt?.getTime(), updatedAt?.getTime()];
}

export const MALFORMED = "not a version!";

export function storageModel(asked: Asked, operation: StorageOperation): Expectation {
  const view = viewOf(asked.tree, asked.door);
  switch (operation.op) {
    case "list":
      return listed(view, operation);
    case "read":
    case "lines":
      return readable(view, operation);
    case "put":
    case "remove":
      return changed(asked, operation);
    case "apply":
      return applied(asked, operation.mutations);
    case "stat":
      return stated(view, operation);
    case "ls": {
      const codes: ErrorCode[] = [...limitCodes(operation.limit), ...(operation.path === "" ? [] : pathCodes(operation.path))];
      return codes.length > 0 ? refusal(codes) : { answer: lsModel(through(view, operation.filters), operation.path, operation) };
    }
    case "glob": {
      const { path, pattern, limit, filters } = operation;
      if (path !== "" && isBadStoragePath(path)) return refusal(["invalid_path", ...patternCodes(pattern)]);
      const answer = globModel(view, { pattern, root: path, limit, filters });
      return answer === undefined ? refusal(patternCodes(pattern)) : { answer };
    }
    case "grep": {
      const { path, pattern, include } = operation;
      const found = grepModel(view, { ...operation, root: path });
      if (path !== "" && isBadStoragePath(path)) return refusal(["invalid_path", ...patternCodes(pattern), ...patternCodes(include)]);
      if (found === undefined) return refusal([...patternCodes(pattern), ...patternCodes(include)]);
      return { answer: { hits: found.hits, skipped: found.skipped } };
    }
    case "search": {
      const { query, prefix, after, limit, filters } = operation;
      const codes: ErrorCode[] = [
        ...limitCodes(limit),
        ...(prefix === undefined || prefix === "" ? [] : pathCodes(prefix)),
        ...(query === "" ? (["invalid_argument"] as const) : []),
      ];
      if (codes.length > 0) return refusal(codes);
      const inside = paged(through(view, filters), { prefix, after, limit: undefined });
      return { answer: searchModel(inside, query).slice(0, limit) };
    }
  }
}

/** Refusals of a pattern that is refused: an empty one is a wrong argument. */
export function patternCodes(pattern: string | undefined): readonly ErrorCode[] {
  return pattern === "" ? ["invalid_argument"] : ["invalid_pattern"];
}

function pathCodes(path: string): readonly ErrorCode[] {
  return isBadStoragePath(path) ? ["invalid_path"] : [];
}

function limitCodes(limit: number | undefined): readonly ErrorCode[] {
  return limit !== undefined && limit < 0 ? ["invalid_argument"] : [];
}

interface Paging {
  readonly prefix?: string | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

function paged(view: View, { prefix = "", after, limit }: Paging): View {
  const inside = view.filter(({ path }) => (path === prefix || isInside(path, prefix)) && (after === undefined || compareBytes(path, after) > 0));
  return limit === undefined ? inside : inside.slice(0, limit);
}

function listed(view: View, operation: StorageOperation & { readonly op: "list" }): Expectation {
  const { prefix, limit, filters } = operation;
  const codes = [...limitCodes(limit), ...(prefix === undefined || prefix === "" ? [] : pathCodes(prefix))];
  if (codes.length > 0) return refusal(codes);
  return { answer: paged(through(view, filters), operation).map(({ info }) => infoRow(info)) };
}

/** The names directly below a directory, in byte order, a directory's with its slash. */
export function lsModel(view: View, directory: string, { after, limit }: Omit<Paging, "prefix">): readonly (Row | string)[] {
  const head = directory === "" ? "" : `${directory}/`;
  const entries = new Map<string, Row | string>();
  for (const { path, info } of view) {
    if (!isInside(path, directory)) continue;
    const [name = "", ...rest] = path.slice(head.length).split("/");
    if (rest.length === 0) entries.set(name, infoRow(info));
    else entries.set(`${name}/`, `${head}${name}/`);
  }
  const names = [...entries.keys()].filter((name) => after === undefined || compareBytes(name, after) > 0).sort(compareBytes);
  return (limit === undefined ? names : names.slice(0, limit)).map((name) => entries.get(name) as Row | string);
}

function readable(view: View, operation: StorageOperation & { readonly op: "read" | "lines" }): Expectation {
  const { path } = operation;
  if (isBadStoragePath(path)) return refusal("invalid_path");
  const file = at(view, path);
  if (file === undefined) return refusal(holdsBelow(view, path) ? "not_a_file" : "not_found");
  if (operation.op === "read") return { answer: [infoRow(file.info), Buffer.from(file.bytes).toString("hex")] };
  if (file.text === undefined) return refusal("not_text");
  return { answer: { info: infoRow(file.info), ...linesModel(file.text, operation) } };
}

function stated(view: View, { path, filters }: StorageOperation & { readonly op: "stat" }): Expectation {
  if (path !== "" && isBadStoragePath(path)) return refusal("invalid_path");
  const shown = through(view, filters);
  const kind = kindAt(shown, path);
  if (kind === "nothing") return { answer: undefined };
  return { answer: kind === "directory" ? `${path}/` : infoRow((at(shown, path) as View[number]).info) };
}

// ── changes ──────────────────────────────────────────────────────────────────────────────────────────

function changed(asked: Asked, operation: StorageOperation & { readonly op: "put" | "remove" }): Expectation {
  const { path, ifVersion } = operation;
  const kind = operation.op === "put" ? "write" : "delete";
  if (isBadStoragePath(path)) return refusal(["invalid_path", ...versionCodes(ifVersion, kind)]);
  const codes = versionCodes(ifVersion, kind);
  if (codes.length > 0) return refusal(codes);
  const bytes = operation.op === "put" ? bytesOf(operation.content) : undefined;
  const contentType = operation.op === "put" ? operation.contentType : undefined;
  return changeModel(asked, { kind, path, bytes, contentType, ifVersion: asked.version(path, ifVersion) });
}

function versionCodes(pick: VersionPick | undefined, kind: "write" | "delete"): readonly ErrorCode[] {
  return pick === "malformed" || (pick === "absent" && kind === "delete") ? ["invalid_argument"] : [];
}

export interface ChangeAsk {
  readonly kind: "write" | "delete";
  readonly path: string;
  readonly bytes?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
  readonly ifVersion?: string | undefined;
}

/** One write or delete with good arguments, from the guard down. */
export function changeModel({ tree, door }: Asked, change: ChangeAsk): Expectation {
  const guarded = guardModel(door, [change]);
  if (isRefusal(guarded)) return guarded;
  const { kind, path, bytes, contentType, ifVersion } = change;
  const files = allFiles(tree);
  const current = at(files, path)?.info.version;
  const stated = current === undefined ? {} : { currentVersion: current };
  if (ifVersion === "absent" && current !== undefined) return failed(refusal("already_exists", stated), guarded);
  if (ifVersion !== undefined && ifVersion !== "absent" && current !== ifVersion) {
    // Where a directory stands now, it is the reason.
    return failed(refusal(holdsBelow(files, path) ? "not_a_file" : "conflict", stated), guarded);
  }
  if (kind === "delete") {
    if (current === undefined) return failed(refusal(holdsBelow(files, path) ? "not_a_file" : "not_found"), guarded);
    return { effects: [{ path }] };
  }
  const codes = current === undefined ? placeCodes(files, path) : [];
  if (codes.length > 0) return failed(refusal(codes), guarded);
  return { effects: [effectOf(files, path, bytes ?? new Uint8Array(), contentType)] };
}

/** What the guard let through to a reserved path and the storage refused is noted. */
function failed(refused: Refusal, { noted = [] }: Expectation): Refusal {
  return noted.length === 0 ? refused : { ...refused, noted };
}

/** What a guard refuses, or the notes it leaves when the storage does. */
function guardModel(door: Door, changes: readonly ChangeAsk[]): Expectation {
  if (identities[door].actor === undefined) return {};
  const rowOf = ({ kind, path }: ChangeAsk, outcome: string) => ({ action: `file.${kind}`, outcome, path: `/${path}` });
  const denied = changes.find(({ path }) => mayChange(door, path) === "no");
  if (denied !== undefined) return { ...refusal("forbidden"), noted: [rowOf(denied, "denied")] };
  const noted: ReturnType<typeof rowOf>[] = [];
  for (const change of changes) {
    // Deep paths and large contents are refused one after another, and nothing is noted of those before.
    if (change.path.split("/").length > MAX_DEPTH) return refusal("invalid_path");
    if ((change.bytes?.length ?? 0) > MAX_FILE_BYTES && identities[door].actor !== "system") return refusal("too_large");
    if (mayChange(door, change.path) === "noted") noted.push(rowOf(change, "failed"));
  }
  return noted.length === 0 ? {} : { noted };
}

function placeCodes(files: View, path: string): readonly ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (aboveOf(path).some((above) => at(files, above) !== undefined)) codes.push("not_a_directory");
  if (holdsBelow(files, path)) codes.push("not_a_file");
  return codes;
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["md", "text/markdown"],
  ["txt", "text/plain"],
]);

function effectOf(files: View, path: string, bytes: Uint8Array, given: string | undefined): Effect {
  const [, extension = ""] = /[^/]\.([a-z]+)$/u.exec(path) ?? [];
  const plain = textOf(bytes) === undefined ? "application/octet-stream" : "text/plain";
  // One by one, because an empty type counts as none.
  const contentType = [given, at(files, path)?.info.contentType, EXTENSIONS.get(extension), plain].find((type) => type !== undefined && type !== "");
  return { path, bytes, contentType: contentType ?? plain };
}

function applied(asked: Asked, mutations: readonly MutationPick[]): Expectation {
  const codes: ErrorCode[] = [];
  for (const { kind, path, ifVersion } of mutations) {
    if (isBadStoragePath(path)) codes.push("invalid_path");
    if (kind !== "create") codes.push(...versionCodes(ifVersion, "delete"));
  }
  if (codes.length > 0) return refusal(codes);
  const paths = mutations.map(({ path }) => path);
  const made = mutations.filter(({ kind }) => kind !== "delete").map(({ path }) => path);
  if (new Set(paths).size < paths.length || made.some((path) => aboveOf(path).some((above) => made.includes(above)))) return refusal("invalid_argument");
  const guarded = guardModel(
    asked.door,
    mutations.map(({ kind, path, content }) => ({
      kind: kind === "delete" ? "delete" : "write",
      path,
      bytes: kind === "delete" ? undefined : bytesOf(content),
    })),
  );
  if (isRefusal(guarded)) return guarded;
  const done = appliedOver(asked, mutations);
  return isRefusal(done) ? failed(done, guarded) : done;
}

function appliedOver({ tree, version }: Asked, mutations: readonly MutationPick[]): Expectation {
  const files = allFiles(tree);
  const existing: string[] = [];
  const stale: string[] = [];
  for (const { kind, path, ifVersion } of mutations) {
    const current = at(files, path)?.info.version;
    const wanted = version(path, ifVersion);
    if (kind === "create") {
      if (current !== undefined) existing.push(path);
    } else if (current === undefined || (wanted !== undefined && wanted !== current)) stale.push(path);
  }
  const paths = [...existing, ...stale].map((path) => `/${path}`).sort(compareBytes);
  if (paths.length > 0) return refusal(stale.length > 0 ? "conflict" : "already_exists", { paths });
  const gone = new Set(mutations.filter(({ kind }) => kind === "delete").map(({ path }) => path));
  const left = files.filter(({ path }) => !gone.has(path));
  const codes = mutations.filter(({ kind }) => kind === "create").flatMap(({ path }) => placeCodes(left, path));
  if (codes.length > 0) return refusal(codes);
  return {
    effects: mutations.map(({ kind, path, content, contentType }) => (kind === "delete" ? { path } : effectOf(files, path, bytesOf(content), contentType))),
  };
}
