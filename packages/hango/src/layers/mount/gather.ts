import { shiftingErrors } from "../../contract/shift-error.ts";
import { comparePaths } from "../../path/path.ts";
import { shownBy, type Place, type Places } from "./places.ts";

/**
 * Asks several places for one answer in byte order with one limit. What a place can give stands together, between the prefix and what follows it, so
 * a place is asked only for as many as there is room left for, and not at all when the room is taken by what comes before it.
 */
export async function gather<T>(
  places: Places,
  options: {
    readonly limit: number | undefined;
    readonly pathOf: (row: T) => string;
    /** Rows of one place, at most `limit`, already with the paths of the whole tree. */
    readonly ask: (place: Place, limit: number | undefined) => Promise<readonly T[]>;
  },
): Promise<readonly T[]> {
  const { limit = Number.POSITIVE_INFINITY, pathOf, ask } = options;
  let found: readonly T[] = [];
  for (const place of places) {
    const start = place.prefix === "" ? "" : `${place.prefix}/`;
    const after = found.findIndex((row) => comparePaths(pathOf(row), start) > 0);
    const before = after < 0 ? found.length : after;
    const left = limit - before;
    if (left <= 0) continue;
    const rows = await shiftingErrors(shownBy(place), () => ask(place, left === Number.POSITIVE_INFINITY ? undefined : left));
    if (rows.length > 0) found = [...found.slice(0, before), ...rows, ...found.slice(before)].slice(0, limit);
  }
  return found;
}
