/** PathFilters in SQL: the twin of isShown, and the jumps that let a scan skip what is hidden. */
import type { PathFilter } from "../../../storage.ts";
import type { SqlValues } from "./statement.ts";
import { type FilterKeys, type KeyRange, keysOf, keysWithin, sortedKeysOf } from "./visible-keys.ts";

/**
 * What a statement varies by: the number of filters, with a plus when one of their lists is long. Then all lists travel sorted
 * and are searched: compared one by one, 1,000 hidden paths took a grep over 20,000 files to its timeout, and 100 to almost a second.
 */
export type FilterShape = `${number}` | `${number}+`;

/** Entries of a list that are compared one by one. */
export const FEW_ENTRIES = 8;

export function filterShape(filters: readonly PathFilter[]): FilterShape {
  const long = filters.some(({ hide, show, hideAnyCase = [] }) => [hide, show, hideAnyCase].some((list) => list.length > FEW_ENTRIES));
  return long ? `${filters.length}+` : `${filters.length}`;
}

function isSorted(shape: FilterShape): boolean {
  return shape.endsWith("+");
}

/** The filters' numbers. */
function indices(shape: FilterShape): readonly number[] {
  return Array.from({ length: Number.parseInt(shape, 10) }, (_, index) => index);
}

/** Lowers ASCII letters and nothing else, whatever the database's locale. */
function lowered(path: string): string {
  return `lower(${path} collate "C")`;
}

type Part = "hide" | "show" | "case";

function place(index: number, part: Part, kind: keyof FilterKeys): string {
  return `$f${index}_${part}_${kind}::text[]`;
}

/** How many entries of a sorted list are not greater than the value. */
function rank(value: string, list: string): string {
  return `width_bucket(${value} collate "C", ${list})`;
}

/** The only entry of a sorted list that can be the head of the value; null when all are greater. */
function headOf(value: string, list: string): string {
  return `(${list})[${rank(value, list)}]`;
}

/** True when an entry matches the value. Most lists are empty, and ask nothing; the subquery is hashed once. */
function matches(value: string, [below, exact]: readonly [string, string], sorted: boolean): string {
  if (!sorted) return `${value} ^@ any(${below}) or ${value} = any(${exact})`;
  const unlessEmpty = (list: string, test: string): string => `case when cardinality(${list}) > 0 then ${test} else false end`;
  return `${unlessEmpty(below, `coalesce(${value} ^@ ${headOf(value, below)}, false)`)}
    or ${unlessEmpty(exact, `${value} in (select unnest(${exact}))`)}`;
}

function hidden(index: number, path: string, sorted: boolean): string {
  const any = (value: string, part: Part): string => matches(value, [place(index, part, "below"), place(index, part, "exact")], sorted);
  const anyCase = `cardinality(${place(index, "case", "below")}) + cardinality(${place(index, "case", "exact")}) > 0 and (${any(lowered(path), "case")})`;
  return `((${any(path, "hide")} or (${anyCase})) and not (${any(path, "show")}))`;
}

/** The predicate of the filters over a path expression; the values come from visibleValues. */
export function visible(shape: FilterShape, path: string): string {
  return (
    indices(shape)
      .map((index) => `not ${hidden(index, path, isSorted(shape))}`)
      .join(" and ") || "true"
  );
}

/**
 * The least key after a hidden path that may show: the next exception of the filter that hides it, or the end of the
 * hidden range, whichever comes first. A walk so visits a hidden range once for each exception, however much is in it.
 */
export function afterHidden(shape: FilterShape, path: string): string {
  const next = `${path} || chr(1)`;
  const jump = isSorted(shape) ? sortedJump : plainJump;
  const cases = indices(shape).map((index) => `when ${hidden(index, path, isSorted(shape))} then ${jump(index, path)}`);
  return cases.length === 0 ? next : `case ${cases.join(" ")} else ${next} end`;
}

function plainJump(index: number, path: string): string {
  const show = `${place(index, "show", "below")} || ${place(index, "show", "exact")}`;
  const exception = `(select min(s collate "C") from unnest(${show}) s where s collate "C" > ${path})`;
  const ranges = `select left(h, -1) || '0' as e from unnest(${place(index, "hide", "below")}) h where ${path} ^@ h
    union all select left(${path}, length(h) - 1) || '0' from unnest(${place(index, "case", "below")}) h where ${lowered(path)} ^@ h`;
  const end = `greatest((${path} || chr(1)) collate "C", (select max(e collate "C") from (${ranges}) r))`;
  return `least(${exception}, ${end})`;
}

/** The same without looking at every entry. Exceptions below others are left out: before the upper one it comes first, within it nothing is hidden. */
function sortedJump(index: number, path: string): string {
  const [below, exact, hide, anyCase] = [
    place(index, "show", "below"),
    place(index, "show", "exact"),
    place(index, "hide", "below"),
    place(index, "case", "below"),
  ];
  const after = (list: string): string => `(${list})[${rank(path, list)} + 1]`;
  const hideHead = headOf(path, hide);
  const caseHead = headOf(lowered(path), anyCase);
  const end = `greatest((${path} || chr(1)) collate "C",
    case when ${path} ^@ ${hideHead} then left(${hideHead}, -1) || '0' end,
    case when ${lowered(path)} ^@ ${caseHead} then left(${path}, length(${caseHead}) - 1) || '0' end)`;
  return `least(${after(below)} collate "C", ${after(exact)}, ${end})`;
}

/** The values of the filters' places, in stored form. Long lists are sorted, and hold what matters to the range if one is given: all paths that are tested must be in it. */
export function visibleValues(filters: readonly PathFilter[], range?: KeyRange): SqlValues {
  const values: Record<string, readonly string[]> = {};
  const sorted = isSorted(filterShape(filters));
  for (const [index, { hide, show, hideAnyCase = [] }] of filters.entries()) {
    const lowerCase = hideAnyCase.map((entry) => entry.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
    for (const [part, entries] of [
      ["hide", hide],
      ["show", show],
      ["case", lowerCase],
    ] as const) {
      const all = sorted ? sortedKeysOf(entries) : keysOf(entries);
      // In another case an entry stands elsewhere.
      const { below, exact } = sorted && range !== undefined && part !== "case" ? keysWithin(all, range) : all;
      values[`f${index}_${part}_below`] = below;
      values[`f${index}_${part}_exact`] = exact;
    }
  }
  return values;
}
