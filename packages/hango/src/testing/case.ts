/** A conformance case is data: a sentence, what it needs, the files it starts from, and the steps. */
import { type ErrorCode, isHangoError } from "../errors.ts";
import type { FileInfo, Storage, WriteOptions } from "../storage.ts";

/** What a storage may lack. A case that needs it is then reported as skipped, by name. */
export type Need = "writing" | "versions" | "content types" | "search" | "apply" | "record" | "longest paths";

export interface StorageCase {
  readonly name: string;
  readonly needs?: readonly Need[];
  /** What the storage holds before the first step. */
  readonly files?: Readonly<Record<string, string>>;
  readonly run: (storage: Storage) => Promise<void>;
}

export interface CaseGroup {
  readonly topic: string;
  readonly cases: readonly StorageCase[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Writes text. */
export function put(storage: Storage, path: string, text: string, options?: WriteOptions): Promise<FileInfo> {
  return storage.write(path, bytesOf(text), options);
}

/** Reads text back. */
export async function textAt(storage: Storage, path: string): Promise<string> {
  return textOf((await storage.read(path)).bytes);
}

export function pathsOf(infos: readonly FileInfo[]): readonly string[] {
  return infos.map((info) => info.path);
}

/** Every path a storage holds. */
export async function allPaths(storage: Storage): Promise<readonly string[]> {
  return pathsOf(await storage.list());
}

/** What is the same wherever an info comes from. */
export function infoKey(info: FileInfo): Readonly<Record<string, unknown>> {
  return { path: info.path, sizeBytes: info.sizeBytes, contentType: info.contentType, version: info.version };
}

/** How each call ended: "ok" or its code. A foreign error fails the case. */
export async function outcomes(calls: readonly Promise<unknown>[]): Promise<readonly ("ok" | ErrorCode)[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => {
    if (one.status === "fulfilled") return "ok";
    if (!isHangoError(one.reason)) throw one.reason;
    return one.reason.code;
  });
}
