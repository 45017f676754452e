/** The only door for an implementation: parses what goes in, checks what comes out, fills in what is missing. */
import { HangoError, isObject } from "../errors.ts";
import { parseFilePath } from "../path/path.ts";
import {
  storageBrand,
  type CallOptions,
  type DeleteOptions,
  type FileData,
  type FileInfo,
  type ListOptions,
  type Storage,
  type StorageImplementation,
  type WriteOptions,
} from "../storage.ts";
import { defineAccelerators } from "./accelerators.ts";
import { callImplementation } from "./call.ts";
import { brokenRule, checkInfo, checkOrdered, isAsked, withSafeSkip } from "./check-answers.ts";
import { checkCall, checkContent, checkContentType, checkIfVersion, checkListOptions, isContent } from "./check-options.ts";
import { defineFeatures } from "./features.ts";
import type { Source } from "./source.ts";

/**
 * Makes a Storage of an implementation. Paths are parsed before it sees them; prefix, filters, `after` and `limit` are applied again to what it
 * answers; buffers are copied both ways; a foreign error becomes `internal` with itself as the cause; a missing accelerator is derived.
 * What is a Storage already is returned as it is.
 */
export function defineStorage(implementation: StorageImplementation): Storage {
  if (isStorage(implementation)) return implementation;
  checkImplementation(implementation);
  const source = defineMethods(implementation);
  const storage = { ...source, ...defineAccelerators(implementation, source), ...defineFeatures(implementation) };
  // Not enumerable: a spread of a Storage is an implementation again, and has to pass through here.
  Object.defineProperty(storage, storageBrand, { value: true });
  return Object.freeze(storage) as Storage;
}

/** Refuses what defineStorage did not make. Errors: invalid_argument; `what` names the argument. */
export function assertStorage(value: unknown, what: string): asserts value is Storage {
  if (isStorage(value)) return;
  // The root object of a database can't be read or written before a namespace is bound.
  const advice = isScoped(value) ? "call its scope({ tenantId, agentId }) first" : "pass your implementation through defineStorage first";
  throw new HangoError("invalid_argument", `${what} must be a Storage: ${advice}.`);
}

/** True for what defineStorage or defineLayer made, also in another copy of the library. */
export function isStorage(value: unknown): value is Storage {
  return isObject(value) && storageBrand in value;
}

function isScoped(value: unknown): boolean {
  return typeof (value as { readonly scope?: unknown } | null | undefined)?.scope === "function";
}

function checkImplementation(implementation: StorageImplementation): void {
  if (!isObject(implementation)) throw new HangoError("invalid_argument", "defineStorage takes an object with name, list, read, write and delete.");
  if (typeof implementation.name !== "string" || implementation.name === "") throw new HangoError("invalid_argument", "A storage needs a name.");
  for (const method of ["list", "read", "write", "delete"] as const) {
    if (typeof implementation[method] !== "function")
      throw new HangoError("invalid_argument", `The storage "${implementation.name}" lacks the method ${method}.`);
  }
}

function defineMethods(implementation: StorageImplementation): Source {
  const { name } = implementation;

  async function list(options: ListOptions = {}): Promise<readonly FileInfo[]> {
    const op = "list";
    const asked = withSafeSkip(checkListOptions(options), options.prefix ?? "");
    const nameOf = (info: FileInfo): string => checkInfo(name, op, info).path;
    const keep = (_: FileInfo, path: string): boolean => isAsked(path, asked);
    return callImplementation({ storage: name, op, path: asked.prefix, signal: asked.signal }, async () =>
      checkOrdered(await implementation.list(asked), { nameOf, keep, limit: asked.limit, storage: name, op }),
    );
  }

  async function read(path: string, options: CallOptions = {}): Promise<FileData> {
    const op = "read";
    const file = parseFilePath(path);
    checkCall(options);
    return callImplementation({ storage: name, op, path: file, signal: options.signal }, async () => {
      const { info, bytes } = await implementation.read(file, options);
      if (!isContent(bytes)) brokenRule(name, op, "content is a Uint8Array");
      return { info: checkInfo(name, op, info, file), bytes: new Uint8Array(bytes) };
    });
  }

  async function write(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<FileInfo> {
    const op = "write";
    const file = parseFilePath(path);
    checkContent(bytes);
    checkCall(options);
    checkIfVersion(options.ifVersion, "version or absent");
    const asked = checkContentType(options);
    const own = new Uint8Array(bytes);
    return callImplementation({ storage: name, op, path: file, signal: options.signal }, async () =>
      checkInfo(name, op, await implementation.write(file, own, asked), file),
    );
  }

  async function remove(path: string, options: DeleteOptions = {}): Promise<void> {
    const file = parseFilePath(path);
    checkCall(options);
    checkIfVersion(options.ifVersion, "version");
    await callImplementation({ storage: name, op: "delete", path: file, signal: options.signal }, () => implementation.delete(file, options));
  }

  return { name, list, read, write, delete: remove };
}
