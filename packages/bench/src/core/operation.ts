/** An operation that is measured, and what the operations share: the files they go round and the texts they write. */
import type { Row } from "../../../hango/src/storages/postgres/driver/driver.ts";
import type { Call } from "../interleave.ts";
import type { Bare, Seen } from "./bare.ts";
import { corpusPath, textOfBytes } from "./corpus.ts";
import type { Door, World } from "./world.ts";

export interface Operation {
  readonly name: string;
  /** Scans get fewer rounds. */
  readonly kind: "point" | "scan";
  readonly bare: (world: World) => Call | Promise<Call>;
  readonly library: (world: World, door: Door) => Call | Promise<Call>;
}

export const SMALL_BYTES: number = 4 * 1024;

export const small: string = textOfBytes(SMALL_BYTES);
const other = textOfBytes(SMALL_BYTES, 2);

export const sizeOf = (row: Row): number => Number(row["size_bytes"]);
export const seenOf = (row: Row): Seen => ({ id: String(row["id"]), version: Number(row["version"]) });

/** Goes round the corpus in steps that meet every directory. */
export function walk({ files }: World): () => string {
  let at = 0;
  return () => corpusPath((at++ * 7_919) % files);
}

export function counter(): () => number {
  let at = 0;
  return () => at++;
}

/** Files of a variant's own, written bare, with what was last seen of each. */
export async function ownFiles(bare: Bare, directory: string, file: { readonly count: number; readonly text: string }): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (let at = 0; at < file.count; at++) {
    const path = `/${directory}/${String(at).padStart(3, "0")}.ts`;
    seen.set(path, seenOf(await bare.create(path, file.text)));
  }
  return seen;
}

/** The next of these files, for ever, with the count of rounds. */
export function roundOf<T>(items: readonly T[]): () => { readonly item: T; readonly turn: number } {
  const next = counter();
  return () => {
    const at = next();
    return { item: items[at % items.length] as T, turn: Math.floor(at / items.length) };
  };
}

export const versionOf = ({ id, version }: Seen): string => `${id}.${version}`;
/** The other one of two texts each time, so that every write changes something. */
export const textFor = (turn: number): string => (turn % 2 === 0 ? other : small);
