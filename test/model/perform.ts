/** Runs one operation for real, and brings its answer into the form in which the model says it. */
import type { DirEntry } from "../../packages/hango/src/filesystem.ts";
import { HangoError } from "../../packages/hango/src/errors.ts";
import type { Entry, FileInfo, Storage } from "../../packages/hango/src/storage.ts";
import { parseGlob } from "../../packages/hango/src/text/glob.ts";
import { parsePattern } from "../../packages/hango/src/text/pattern/pattern.ts";
import { bytesOf } from "./contents.ts";
import { infoRow } from "./model-storage.ts";
import type { FilesOperation, Operation, StorageOperation, ToolOperation, VersionPick } from "./operation.ts";
import type { Access } from "./world.ts";

export interface Call {
  readonly access: Access;
  /** The token of a pick, for a path in storage form. */
  readonly version: (path: string, pick: VersionPick | undefined) => string | undefined;
  readonly toolCallId: string;
}

export interface Done {
  readonly answer?: unknown;
  /** Of what was written, where the answer has it. */
  readonly infos?: readonly FileInfo[];
}

export async function perform(call: Call, operation: Operation): Promise<Done> {
  if (operation.op.startsWith("fs.")) return performFiles(call, operation as FilesOperation);
  return operation.op.startsWith("tool.") ? performTool(call, operation as ToolOperation) : performStorage(call, operation as StorageOperation);
}

/** Without the keys that a command has for itself. */
function optionsOf<T extends object, K extends keyof T>(operation: T, ...own: readonly K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(operation).filter(([key]) => !own.includes(key as K) && key !== "op" && key !== "door")) as Omit<T, K>;
}

const versionOption = (ifVersion: string | undefined): { readonly ifVersion?: string } => (ifVersion === undefined ? {} : { ifVersion });
const typeOption = (contentType: string | undefined): { readonly contentType?: string } => (contentType === undefined ? {} : { contentType });

function entryShown(entry: Entry): unknown {
  return entry.kind === "file" ? infoRow(entry.info) : `${entry.path}/`;
}

async function performStorage({ access: { storage }, version }: Call, operation: StorageOperation): Promise<Done> {
  switch (operation.op) {
    case "list":
      return { answer: (await storage.list(optionsOf(operation))).map(infoRow) };
    case "read": {
      const { info, bytes } = await storage.read(operation.path);
      return { answer: [infoRow(info), Buffer.from(bytes).toString("hex")] };
    }
    case "put": {
      const { path, content, contentType, ifVersion } = operation;
      return { infos: [await storage.write(path, bytesOf(content), { ...versionOption(version(path, ifVersion)), ...typeOption(contentType) })] };
    }
    case "remove":
      await storage.delete(operation.path, versionOption(version(operation.path, operation.ifVersion)));
      return {};
    case "apply":
      return { infos: await apply(storage, version, operation) };
    case "stat": {
      const entry = await storage.stat(operation.path, optionsOf(operation, "path"));
      return { answer: entry && entryShown(entry) };
    }
    case "ls":
      return { answer: (await storage.ls(operation.path, optionsOf(operation, "path"))).map(entryShown) };
    case "lines": {
      const { info, totalLines, lines, firstLineChars } = await storage.lines(operation.path, optionsOf(operation, "path"));
      return { answer: { info: infoRow(info), totalLines, lines, firstLineChars } };
    }
    case "glob":
      return { answer: await storage.glob({ ...optionsOf(operation, "path", "pattern"), root: operation.path, pattern: parseGlob(operation.pattern) }) };
    case "grep":
      return { answer: await grep(storage, operation) };
    case "search":
      return { answer: await storage.search?.paths(operation.query, optionsOf(operation, "query")) };
  }
}

async function apply(storage: Storage, version: Call["version"], { mutations }: StorageOperation & { readonly op: "apply" }): Promise<readonly FileInfo[]> {
  const made = mutations.map(({ kind, path, content, contentType, ifVersion }) => {
    if (kind === "delete") return { kind, path, ...versionOption(version(path, ifVersion)) };
    const change = { path, bytes: bytesOf(content), ...typeOption(contentType) };
    return kind === "create" ? { kind, ...change } : { kind, ...change, ...versionOption(version(path, ifVersion)) };
  });
  if (storage.apply === undefined) throw new HangoError("unsupported", "The model needs a storage with apply.");
  return storage.apply(made);
}

async function grep(storage: Storage, operation: StorageOperation & { readonly op: "grep" }): Promise<unknown> {
  const { pattern, literal = false, ignoreCase = false, include, path } = operation;
  const skipped: string[] = [];
  const hits = await storage.grep({
    ...optionsOf(operation, "path", "pattern", "literal", "ignoreCase", "include"),
    pattern: parsePattern(pattern, { literal, ignoreCase }),
    root: path,
    ...(include === undefined ? {} : { include: parseGlob(include) }),
    onSkip: (name) => void skipped.push(name),
  });
  return { hits, skipped };
}

function rowOf({ name, path, kind, sizeBytes, contentType, version, updatedAt }: DirEntry): unknown {
  return kind === "directory" ? [name, path] : [name, path, sizeBytes, contentType, version, updatedAt?.getTime()];
}

async function performFiles({ access: { fs }, version }: Call, operation: FilesOperation): Promise<Done> {
  const { op } = operation;
  switch (op) {
    case "fs.ls":
      return { answer: (await fs.ls(operation.path, optionsOf(operation, "path"))).map(rowOf) };
    case "fs.stat":
      return { answer: rowOf(await fs.stat(operation.path)) };
    case "fs.read": {
      const { nextOffset, nextColumn, ...window } = await fs.read(operation.path, optionsOf(operation, "path"));
      return { answer: { ...window, nextOffset, nextColumn } };
    }
    case "fs.write": {
      const { path, text, contentType, ifVersion } = operation;
      const entry = await fs.write(path, text, { ...versionOption(version(path, ifVersion)), ...typeOption(contentType) });
      return { answer: rowOf(entry) };
    }
    case "fs.edit": {
      const { path, oldText, newText, replaceAll, ifVersion } = operation;
      const options = { ...versionOption(version(path, ifVersion)), ...(replaceAll === undefined ? {} : { replaceAll }) };
      const { path: edited, replacements, sizeBytes, version: token } = await fs.edit(path, oldText, newText, options);
      return { answer: [edited, replacements, sizeBytes, token] };
    }
    case "fs.delete": {
      const { path, recursive, ifVersion } = operation;
      await fs.delete(path, { ...versionOption(version(path, ifVersion)), ...(recursive === undefined ? {} : { recursive }) });
      return {};
    }
    case "fs.glob":
      return { answer: await fs.glob(operation.pattern, optionsOf(operation, "pattern")) };
    case "fs.grep":
      return { answer: await fs.grep(operation.pattern, optionsOf(operation, "pattern")) };
  }
}

const ARGUMENT_NAMES: ReadonlyMap<string, string> = new Map([
  ["oldText", "old_string"],
  ["newText", "new_string"],
  ["replaceAll", "replace_all"],
  ["ignoreCase", "ignore_case"],
  ["mode", "output_mode"],
  ["maxCount", "max_count"],
]);

async function performTool({ access: { tools }, toolCallId }: Call, operation: ToolOperation): Promise<Done> {
  const name = operation.op.slice("tool.".length);
  const args = Object.fromEntries(Object.entries(optionsOf(operation)).map(([key, value]) => [ARGUMENT_NAMES.get(key) ?? key, value]));
  const result = await tools.get(name)?.execute(args, { toolCallId });
  if (result === undefined) throw new HangoError("unsupported", `The session has no tool ${name}.`);
  const said = result.forModel as string;
  if (!result.isError) return { answer: said };
  const code = result.code ?? "internal";
  if (!said.startsWith(`Error (${code}): `)) throw new Error(`The error of a tool begins with its code, not with ${said}`);
  throw new HangoError(code, said, result.details === undefined ? {} : { details: result.details });
}
