/** Ends the load of an import that is all or nothing when something could not even be given to the store. */
import { HangoError } from "hango";
import type { LoadFile } from "hango/postgres";
import { count } from "../output.ts";
import { named } from "./named.ts";
import type { Skipped } from "./walk-tree.ts";

/** What was left behind so far: the first names, and how many there are. */
export type LeftBehind = () => { readonly skipped: readonly Skipped[]; readonly skippedCount: number };

/** Errors: invalid_content before the first file when something is left behind already, and after the last one. */
export async function* allOrNothing(files: AsyncIterable<LoadFile>, leftBehind: LeftBehind): AsyncGenerator<LoadFile, void, undefined> {
  refuse(leftBehind());
  yield* files;
  refuse(leftBehind());
}

function refuse({ skipped, skippedCount }: ReturnType<LeftBehind>): void {
  if (skippedCount === 0) return;
  const names = named(
    skipped.map(({ path, reason }) => `${path} (${reason})`),
    skippedCount,
  );
  throw new HangoError(
    // The command is right; what it was given can't be taken.
    "invalid_content",
    `Nothing was stored, since all or nothing was asked for. ${count(skippedCount)} can't be stored: ${names}. Leave such files out with --exclude.`,
  );
}
