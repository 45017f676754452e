/** What glob, grep and search must find, by the expressions that stand beside each pattern. */
import type { PathFilter } from "../../packages/hango/src/storage.ts";
import { codePoints, linesOf } from "./contents.ts";
import { globOracle, patternOracle, type PatternPick } from "./patterns.ts";
import { type Held, isInside, through, type View } from "./tree.ts";

const WINDOW = 500;
const LEAD = 100;

export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface GrepAsk extends PatternPick {
  readonly root: string;
  readonly include?: string | undefined;
  readonly context: number;
  readonly limit: number;
  readonly filters?: readonly PathFilter[] | undefined;
}

const relative = (path: string, root: string): string => {
  if (path === root) return path.slice(path.lastIndexOf("/") + 1);
  return root === "" ? path : path.slice(root.length + 1);
};

/** Undefined when the pattern is refused. */
export function globModel(
  view: View,
  ask: { readonly pattern: string; readonly root: string; readonly limit: number; readonly filters?: readonly PathFilter[] | undefined },
): readonly string[] | undefined {
  const { pattern, root, limit, filters } = ask;
  const oracle = globOracle(pattern);
  if (oracle === undefined) return undefined;
  const found: string[] = [];
  for (const { path } of through(view, filters)) {
    if (found.length >= limit) break;
    if (isInside(path, root) && oracle.test(relative(path, root))) found.push(path);
  }
  return found;
}

/** Undefined when a pattern is refused. What lies behind the last hit of a full answer was not looked at, and so not skipped. */
export function grepModel(view: View, ask: GrepAsk): { readonly hits: readonly Hit[]; readonly skipped: readonly string[] } | undefined {
  const { root, include, limit, context, filters } = ask;
  const oracle = patternOracle(ask);
  const included = include === undefined ? /(?:)/u : globOracle(include);
  if (oracle === undefined || included === undefined) return undefined;
  const hits: Hit[] = [];
  const skipped: string[] = [];
  for (const file of through(view, filters)) {
    if (hits.length >= limit) break;
    if (file.path !== root && !isInside(file.path, root)) continue;
    if (!included.test(relative(file.path, root))) continue;
    if (file.text === undefined) skipped.push(file.path);
    else hits.push(...hitsIn(file, oracle, context));
  }
  return { hits: hits.slice(0, limit), skipped };
}

function hitsIn(file: Held, oracle: RegExp, context: number): readonly Hit[] {
  const { path, lines } = file;
  const hits: Hit[] = [];
  for (const [index, line] of lines.entries()) {
    const found = oracle.exec(line);
    if (found === null) continue;
    const column = codePoints(line.slice(0, found.index)).length + 1;
    const hit = { path, line: index + 1, column, text: windowOf(line, Math.max(0, column - 1 - LEAD)) };
    if (context === 0) hits.push(hit);
    else {
      const around = (from: number, to: number): readonly string[] => lines.slice(from, to).map((other) => windowOf(other, 0));
      hits.push({ ...hit, before: around(Math.max(0, index - context), index), after: around(index + 1, index + 1 + context) });
    }
  }
  return hits;
}

/** A line of at most 500 characters comes whole. */
function windowOf(line: string, start: number): string {
  if (line.length <= WINDOW) return line;
  const characters = codePoints(line);
  return characters.length <= WINDOW ? line : characters.slice(start, start + WINDOW).join("");
}

export function searchModel(view: View, query: string): readonly string[] {
  const wanted = query.toLowerCase();
  return view.filter(({ text }) => text?.toLowerCase().includes(wanted)).map(({ path }) => path);
}

export interface LinesAsk {
  readonly offset: number;
  readonly limit: number;
  readonly column: number;
  readonly maxLineChars: number;
}

export interface Shown {
  readonly number: number;
  readonly text: string;
  readonly clipped: boolean;
}

/** The lines from `offset`; the first one from `column`. */
export function linesModel(
  text: string,
  ask: LinesAsk,
): { readonly totalLines: number; readonly lines: readonly Shown[]; readonly firstLineChars: number | undefined } {
  const { offset, limit, column, maxLineChars } = ask;
  const all = linesOf(text);
  const lines = all.slice(offset - 1, offset - 1 + limit).map((line, index) => {
    const rest = codePoints(line).slice(index === 0 ? column - 1 : 0);
    return { number: offset + index, text: rest.slice(0, maxLineChars).join(""), clipped: rest.length > maxLineChars };
  });
  const first = all[offset - 1];
  return { totalLines: all.length, lines, firstLineChars: first === undefined || column === 1 ? undefined : codePoints(first).length };
}
