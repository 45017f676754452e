/** PathFilters in SQL: the twin of isShown, and the jumps that let a scan skip what is hidden. */
import type { PathFilter } from "../../../storage.ts";
import { keyOf } from "./key-range.ts";
import type { SqlValues } from "./statement.ts";

/** Lowers ASCII letters and nothing else, whatever the database's locale. */
function lowered(path: string): string {
  return `lower(${path} collate "C")`;
}

function place(index: number, part: string): string {
  return `$f${index}_${part}::text[]`;
}

function hidden(index: number, path: string): string {
  const any = (value: string, below: string, exact: string): string => `${value} ^@ any(${place(index, below)}) or ${value} = any(${place(index, exact)})`;
  const anyCase = `cardinality(${place(index, "case_below")}) + cardinality(${place(index, "case_exact")}) > 0 and (${any(lowered(path), "case_below", "case_exact")})`;
  return `((${any(path, "hide_below", "hide_exact")} or (${anyCase})) and not (${any(path, "show_below", "show_exact")}))`;
}

/** The predicate of `count` filters over a path expression; the values come from visibleValues. */
export function visible(count: number, path: string): string {
  if (count === 0) return "true";
  return Array.from({ length: count }, (_, index) => `not ${hidden(index, path)}`).join(" and ");
}

/**
 * The least key after a hidden path that may show: the next exception of the filter that hides it, or the end of the
 * hidden range, whichever comes first. A walk so visits a hidden range once for each exception, however much is in it.
 */
export function afterHidden(count: number, path: string): string {
  const next = `${path} || chr(1)`;
  if (count === 0) return next;
  const cases = Array.from({ length: count }, (_, index) => `when ${hidden(index, path)} then ${jump(index, path)}`);
  return `case ${cases.join(" ")} else ${next} end`;
}

function jump(index: number, path: string): string {
  const show = `${place(index, "show_below")} || ${place(index, "show_exact")}`;
  const exception = `(select min(s collate "C") from unnest(${show}) s where s collate "C" > ${path})`;
  const ranges = `select left(h, -1) || '0' as e from unnest(${place(index, "hide_below")}) h where ${path} ^@ h
    union all select left(${path}, length(h) - 1) || '0' from unnest(${place(index, "case_below")}) h where ${lowered(path)} ^@ h`;
  const end = `greatest((${path} || chr(1)) collate "C", (select max(e collate "C") from (${ranges}) r))`;
  return `least(${exception}, ${end})`;
}

/** The values of the filters' places, in stored form. */
export function visibleValues(filters: readonly PathFilter[]): SqlValues {
  const values: Record<string, readonly string[]> = {};
  for (const [index, { hide, show, hideAnyCase = [] }] of filters.entries()) {
    const lowerCase = hideAnyCase.map((entry) => entry.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
    for (const [part, entries] of [
      ["hide", hide],
      ["show", show],
      ["case", lowerCase],
    ] as const) {
      values[`f${index}_${part}_below`] = entries.filter((entry) => entry.endsWith("/")).map((entry) => (entry === "/" ? entry : keyOf(entry)));
      values[`f${index}_${part}_exact`] = entries.filter((entry) => !entry.endsWith("/")).map(keyOf);
    }
  }
  return values;
}
