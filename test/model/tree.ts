/** The reference: the files of one namespace in a Map, and every token it ever gave out. */
import type { FileInfo, PathFilter } from "../../packages/hango/src/storage.ts";
import { codePoints, linesOf, textOf } from "./contents.ts";

export interface Held {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Undefined for what is no text. */
  readonly text: string | undefined;
  readonly lines: readonly string[];
  readonly info: FileInfo;
}

/** A row that the record of the storage must have. */
export interface Recorded {
  readonly action: string;
  readonly outcome: string;
  readonly path: string;
  readonly actor: string;
  readonly version?: string | undefined;
  readonly previousVersion?: string | undefined;
  readonly sizeBytes?: number | undefined;
  readonly sessionId?: string | undefined;
  readonly principal?: string | undefined;
  readonly tool?: string | undefined;
  readonly toolCallId?: string | undefined;
}

export interface Tree {
  readonly files: Map<string, Held>;
  /** Every token given out, oldest first. */
  readonly tokens: string[];
  /** The tokens of each path that are stale. */
  readonly stale: Map<string, string>;
  /** What each operation must have recorded; the rows of one operation come in any order. */
  readonly record: (readonly Recorded[])[];
  /** In byte order; made again after a change of names. */
  sorted: readonly Held[] | undefined;
}

export function emptyTree(): Tree {
  return { files: new Map(), tokens: [], stale: new Map(), record: [], sorted: undefined };
}

export function setFile(tree: Tree, bytes: Uint8Array, info: FileInfo): void {
  const { path } = info;
  const text = textOf(bytes);
  forget(tree, path);
  tree.tokens.push(info.version);
  tree.files.set(path, { path, bytes, text, lines: text === undefined ? [] : linesOf(text), info });
  tree.sorted = undefined;
}

export function dropFile(tree: Tree, path: string): void {
  forget(tree, path);
  tree.files.delete(path);
  tree.sorted = undefined;
}

function forget(tree: Tree, path: string): void {
  const old = tree.files.get(path);
  if (old !== undefined) tree.stale.set(path, old.info.version);
}

export type View = readonly Held[];

/** Every file, in byte order. */
export function allFiles(tree: Tree): View {
  tree.sorted ??= [...tree.files.values()].sort((left, right) => compareBytes(left.path, right.path));
  return tree.sorted;
}

const points = new Map<string, readonly string[]>();

/** UTF-8 byte order is the order of code points. */
export function compareBytes(left: string, right: string): number {
  const [one, other] = [pointsOf(left), pointsOf(right)];
  for (const [index, character] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (character !== against) return (character.codePointAt(0) ?? 0) - (against.codePointAt(0) ?? 0);
  }
  return one.length - other.length;
}

function pointsOf(path: string): readonly string[] {
  let made = points.get(path);
  if (made === undefined) {
    made = codePoints(path);
    points.set(path, made);
  }
  return made;
}

export function at(view: View, path: string): Held | undefined {
  return view.find((file) => file.path === path);
}

export function isInside(path: string, directory: string): boolean {
  return directory === "" || path.startsWith(`${directory}/`);
}

export function holdsBelow(view: View, path: string): boolean {
  return path === "" || view.some((file) => isInside(file.path, path));
}

/** What stands at a path; the root is always a directory. */
export function kindAt(view: View, path: string): "file" | "directory" | "nothing" {
  if (at(view, path) !== undefined) return "file";
  return holdsBelow(view, path) ? "directory" : "nothing";
}

export function aboveOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

/** What some filters leave of a view. */
export function through(view: View, filters: readonly PathFilter[] = []): View {
  return filters.length === 0 ? view : view.filter(({ path }) => filters.every((filter) => shows(filter, path)));
}

function shows({ hide, hideAnyCase = [], show }: PathFilter, path: string): boolean {
  const lowered = asciiLower(path);
  const isHidden = hide.some((entry) => covers(entry, path)) || hideAnyCase.some((entry) => covers(asciiLower(entry), lowered));
  return !isHidden || show.some((entry) => covers(entry, path));
}

function covers(entry: string, path: string): boolean {
  if (entry === "/") return true;
  return entry.endsWith("/") ? path.startsWith(entry) && path !== entry : path === entry;
}

export function asciiLower(value: string): string {
  return value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
