/** What each operation of a FileSystem must answer. */
import type { ErrorCode } from "../../packages/hango/src/errors.ts";
import type { Limits } from "../../packages/hango/src/limits.ts";
import { bytesOf, codePoints, MAX_FILE_BYTES } from "./contents.ts";
import { type Expectation, isRefusal, type Refusal, refusal } from "./expectation.ts";
import { globModel, grepModel, linesModel, type Shown } from "./model-search.ts";
import { type Asked, changeModel, lsModel, patternCodes, type Row } from "./model-storage.ts";
import type { FilesOperation, VersionPick } from "./operation.ts";
import { filePathOf, isBadAgentPath, MAX_DEPTH } from "./paths.ts";
import { identities, mayChange, viewOf } from "./rules.ts";
import { at, holdsBelow, isInside, kindAt, type View } from "./tree.ts";

/** Of every session and file system of the model: small, so that each is reached. */
export const LIMITS: Pick<Limits, "maxFileBytes" | "maxReadLines" | "maxLineChars" | "maxMatches" | "maxPathDepth"> = {
  maxFileBytes: MAX_FILE_BYTES,
  maxReadLines: 3,
  maxLineChars: 12,
  maxMatches: 4,
  maxPathDepth: MAX_DEPTH,
};

export function filesModel(asked: Asked, operation: FilesOperation): Expectation {
  const view = viewOf(asked.tree, asked.door);
  switch (operation.op) {
    case "fs.ls":
      return lsOf(view, operation);
    case "fs.stat": {
      const { path } = operation;
      if (isBadAgentPath(path)) return refusal("invalid_path");
      const file = filePathOf(path);
      const kind = kindAt(view, file);
      if (kind === "nothing") return missing(view, file);
      return { answer: kind === "file" ? entryRow((at(view, file) as View[number]).info) : [file.split("/").at(-1) || "/", `/${file}`] };
    }
    case "fs.read": {
      const window = readModel(view, operation);
      return isRefusal(window) ? window : { answer: window };
    }
    case "fs.write":
      return written(asked, operation);
    case "fs.edit":
      return edited(asked, operation);
    case "fs.delete":
      return deleted(asked, operation);
    case "fs.glob":
      return globbed(view, operation);
    case "fs.grep": {
      const found = grepOf(view, operation);
      return isRefusal(found) ? found : { answer: found };
    }
  }
}

export function entryRow({
  path,
  sizeBytes,
  contentType,
  version,
  updatedAt,
}: { readonly [K in "path" | "contentType" | "version"]: string } & { readonly sizeBytes: number; readonly updatedAt?: Date }): unknown {
  return [path.slice(path.lastIndexOf("/") + 1), `/${path}`, sizeBytes, contentType, version, updatedAt?.getTime()];
}

/** What is not there, with the path that looks the same when one is. */
function missing(view: View, path: string): Refusal {
  const similar = [path.normalize("NFC"), path.normalize("NFD")].find((form) => form !== path && kindAt(view, form) !== "nothing");
  return refusal("not_found", similar === undefined ? {} : { similarPath: `/${similar}` });
}

/** Why no file can be read at a path; undefined when one can. */
function noFile(view: View, path: string): Refusal | undefined {
  const kind = kindAt(view, path);
  if (kind === "file") return undefined;
  return kind === "directory" ? refusal("not_a_file") : missing(view, path);
}

export function lsOf(view: View, { path, after, limit }: Extract<FilesOperation, { readonly op: "fs.ls" }>): Expectation {
  const codes: ErrorCode[] = [...(isBadAgentPath(path) ? (["invalid_path"] as const) : []), ...countCodes(limit)];
  if (codes.length > 0) return refusal(codes);
  const directory = filePathOf(path);
  const kind = kindAt(view, directory);
  if (kind === "file") return refusal("not_a_directory");
  if (kind === "nothing") return missing(view, directory);
  return { answer: lsModel(view, directory, { after, limit }).map(entryOf) };
}

function entryOf(entry: Row | string): unknown {
  if (typeof entry === "string") return [entry.slice(0, -1).split("/").at(-1), `/${entry.slice(0, -1)}`];
  const [path, size, type, version, , updated] = entry;
  return [path.slice(path.lastIndexOf("/") + 1), `/${path}`, size, type, version, updated];
}

function countCodes(count: number | undefined, most: number = Number.MAX_SAFE_INTEGER): readonly ErrorCode[] {
  return count !== undefined && (count < 1 || count > most) ? ["invalid_argument"] : [];
}

export interface Window {
  readonly path: string;
  readonly version: string;
  readonly sizeBytes: number;
  readonly totalLines: number;
  readonly lines: readonly Shown[];
  readonly nextOffset: number | undefined;
  readonly nextColumn: number | undefined;
}

export function readModel(
  view: View,
  {
    path,
    offset = 1,
    limit = LIMITS.maxReadLines,
    column = 1,
  }: { readonly path: string; readonly offset?: number; readonly limit?: number; readonly column?: number },
): Window | Refusal {
  const codes: ErrorCode[] = [...(isBadAgentPath(path) ? (["invalid_path"] as const) : []), ...countCodes(limit), ...countCodes(column)];
  if (offset < 0) codes.push("invalid_argument");
  if (codes.length > 0) return refusal(codes);
  const name = filePathOf(path);
  const none = noFile(view, name);
  if (none !== undefined) return none;
  const file = at(view, name) as View[number];
  if (file.text === undefined) return refusal("not_text");
  const start = Math.max(1, offset);
  const page = linesModel(file.text, { offset: start, limit: Math.min(limit, LIMITS.maxReadLines), column, maxLineChars: LIMITS.maxLineChars });
  const { totalLines, lines } = page;
  if (start > Math.max(1, totalLines)) return refusal("invalid_argument", { totalLines });
  const lineChars = page.firstLineChars ?? 0;
  if (column > Math.max(1, lineChars)) return refusal("invalid_argument", { lineChars });
  const last = lines.at(-1);
  const from = lines.length === 1 ? column : 1;
  return {
    path: `/${name}`,
    version: file.info.version,
    sizeBytes: file.bytes.length,
    totalLines,
    lines,
    nextOffset: last !== undefined && last.number < totalLines ? last.number + 1 : undefined,
    nextColumn: last?.clipped === true ? from + codePoints(last.text).length : undefined,
  };
}

/** A string that is no text. */
function isBadText(value: string): boolean {
  return value.includes("\0") || !value.isWellFormed();
}

function written(asked: Asked, operation: FilesOperation & { readonly op: "fs.write" }): Expectation {
  const { path, text, contentType, ifVersion } = operation;
  const argument = textArgument(path, text);
  if (argument !== undefined) return refusal(argument);
  const file = filePathOf(path);
  const bytes = bytesOf(text);
  if (bytes.length > MAX_FILE_BYTES && asked.door !== "system") return refusal("too_large");
  if (ifVersion === "malformed") return refusal("invalid_argument");
  return changeModel(asked, { kind: "write", path: file, bytes, contentType, ifVersion: asked.version(file, ifVersion) });
}

function textArgument(path: string, text: string): readonly ErrorCode[] | undefined {
  if (isBadAgentPath(path)) return ["invalid_path"];
  if (filePathOf(path) === "") return ["not_a_file"];
  return isBadText(text) ? ["invalid_content"] : undefined;
}

/** What no one could allow is refused before anything is read. */
function forbidden(asked: Asked, change: { readonly kind: "write" | "delete"; readonly path: string }): Expectation | undefined {
  if (mayChange(asked.door, change.path) !== "no") return undefined;
  return { ...refusal("forbidden"), noted: [{ action: `file.${change.kind}`, outcome: "denied", path: `/${change.path}` }] };
}

function edited(asked: Asked, operation: FilesOperation & { readonly op: "fs.edit" }): Expectation {
  const { path, oldText, newText, replaceAll = false, ifVersion } = operation;
  if (isBadAgentPath(path)) return refusal("invalid_path");
  const name = filePathOf(path);
  if (name === "") return refusal("not_a_file");
  const view = viewOf(asked.tree, asked.door);
  const refused = forbidden(asked, { kind: "write", path: name });
  if (refused !== undefined) return refused;
  if (isBadText(newText)) return refusal("invalid_content");
  if (ifVersion === "malformed" || ifVersion === "absent") return refusal("invalid_argument");
  const none = noFile(view, name);
  if (none !== undefined) return none;
  const file = at(view, name) as View[number];
  const wanted = asked.version(name, ifVersion);
  if (wanted !== undefined && wanted !== file.info.version) return refusal("conflict");
  if (file.text === undefined) return refusal("not_text");
  const replaced = replaceModel(file.text, { oldText, newText, replaceAll });
  if (isRefusal(replaced)) return replaced;
  const bytes = bytesOf(replaced.text);
  if (bytes.length > MAX_FILE_BYTES && asked.door !== "system") return refusal("too_large");
  const done = changeModel(asked, { kind: "write", path: name, bytes, ifVersion: file.info.version });
  return { ...done, answer: [`/${name}`, replaced.replacements, bytes.length] };
}

export function replaceModel(
  text: string,
  edit: { readonly oldText: string; readonly newText: string; readonly replaceAll: boolean },
): { readonly text: string; readonly replacements: number } | Refusal {
  const { oldText, newText, replaceAll } = edit;
  if (oldText === "" || oldText === newText) return refusal("invalid_argument");
  const crlf = (value: string): string => value.split("\r\n").join("\n").split("\n").join("\r\n");
  const isCrlf = !text.includes(oldText) && text.includes("\r\n") && text.includes(crlf(oldText));
  const [old, next] = isCrlf ? [crlf(oldText), crlf(newText)] : [oldText, newText];
  if (!text.includes(old)) return refusal("no_match");
  if (old === next) return refusal("invalid_argument");
  let starts = 0;
  for (let from = text.indexOf(old); from >= 0; from = text.indexOf(old, from + 1)) starts += 1;
  if (starts > 1 && !replaceAll) return refusal("ambiguous_match", { count: starts });
  const pieces = text.split(old);
  return { text: pieces.join(next), replacements: pieces.length - 1 };
}

function deleted(asked: Asked, operation: FilesOperation & { readonly op: "fs.delete" }): Expectation {
  const { path, recursive = false, ifVersion } = operation;
  if (isBadAgentPath(path)) return refusal("invalid_path");
  const name = filePathOf(path);
  if (recursive) return treeDeleted(asked, name, ifVersion);
  if (name === "") return refusal("not_a_file");
  const refused = forbidden(asked, { kind: "delete", path: name });
  if (refused !== undefined) return refused;
  if (ifVersion === "malformed" || ifVersion === "absent") return refusal("invalid_argument");
  const done = changeModel(asked, { kind: "delete", path: name, ifVersion: asked.version(name, ifVersion) });
  // A file system says what a storage leaves open: the name that looks the same.
  return done.refused?.includes("not_found") === true
    ? { ...missing(viewOf(asked.tree, asked.door), name), ...(done.noted === undefined ? {} : { noted: done.noted }) }
    : done;
}

function treeDeleted(asked: Asked, name: string, ifVersion: VersionPick | undefined): Expectation {
  const view = viewOf(asked.tree, asked.door);
  // Refused unseen where neither a file there nor one below could go.
  if (name !== "" && mayChange(asked.door, `${name}/-`) === "no") {
    const refused = forbidden(asked, { kind: "delete", path: name });
    if (refused !== undefined) return refused;
  }
  if (at(view, name) !== undefined) {
    if (ifVersion === "malformed" || ifVersion === "absent") return refusal("invalid_argument");
    return changeModel(asked, { kind: "delete", path: name, ifVersion: asked.version(name, ifVersion) });
  }
  const below = view.filter(({ path }) => isInside(path, name));
  if (below.length === 0) return name === "" ? { effects: [] } : missing(view, name);
  if (ifVersion !== undefined) return refusal("invalid_argument");
  const denied = below.find(({ path }) => mayChange(asked.door, path) === "no");
  if (denied !== undefined) return { ...refusal("forbidden"), noted: [{ action: "file.delete", outcome: "denied", path: `/${denied.path}` }] };
  if (identities[asked.door].actor !== undefined && below.some(({ path }) => path.split("/").length > LIMITS.maxPathDepth)) return refusal("invalid_path");
  return { effects: below.map(({ path }) => ({ path })) };
}

export function globbed(view: View, { pattern, root = "/", maxCount }: Extract<FilesOperation, { readonly op: "fs.glob" }>): Expectation {
  const codes: ErrorCode[] = [...(isBadAgentPath(root) ? (["invalid_path"] as const) : []), ...countCodes(maxCount, LIMITS.maxMatches)];
  const directory = filePathOf(root);
  const limit = maxCount ?? LIMITS.maxMatches;
  const found = globModel(view, { pattern, root: directory, limit: limit + 1 });
  if (codes.length > 0) return refusal([...codes, ...(found === undefined ? patternCodes(pattern) : [])]);
  if (found === undefined) return refusal(patternCodes(pattern));
  if (found.length === 0 && kindAt(view, directory) === "file") return refusal("not_a_directory");
  if (found.length === 0 && kindAt(view, directory) === "nothing") return missing(view, directory);
  return { answer: { paths: found.slice(0, limit).map((path) => `/${path}`), truncated: found.length > limit, skipped: [] } };
}

export interface Found {
  readonly matches: readonly {
    readonly path: string;
    readonly line: number;
    readonly column: number;
    readonly text: string;
    readonly before?: readonly string[];
    readonly after?: readonly string[];
  }[];
  readonly truncated: boolean;
  readonly skipped: readonly string[];
}

export function grepOf(view: View, operation: Omit<Extract<FilesOperation, { readonly op: "fs.grep" }>, "op">): Found | Refusal {
  const { pattern, path: root = "/", include, context = 0, maxCount } = operation;
  const codes: ErrorCode[] = [...(isBadAgentPath(root) ? (["invalid_path"] as const) : []), ...countCodes(maxCount, LIMITS.maxMatches)];
  if (context < 0 || context > 20) codes.push("invalid_argument");
  const directory = filePathOf(root);
  const limit = maxCount ?? LIMITS.maxMatches;
  const found = grepModel(view, { ...operation, root: directory, context, limit: limit + 1 });
  const pair = [...patternCodes(pattern), ...patternCodes(include)];
  if (codes.length > 0) return refusal([...codes, ...(found === undefined ? pair : [])]);
  if (found === undefined) return refusal(pair);
  if (found.hits.length === 0 && directory !== "" && at(view, directory) === undefined && !holdsBelow(view, directory)) return missing(view, directory);
  const truncated = found.hits.length > limit;
  return { matches: found.hits.slice(0, limit).map((hit) => ({ ...hit, path: `/${hit.path}` })), truncated, skipped: found.skipped.map((path) => `/${path}`) };
}
