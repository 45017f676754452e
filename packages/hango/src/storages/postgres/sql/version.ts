/** A version is the row's id and its count, so that a token of a deleted file never matches the next file of that name. */
import type { Version } from "../../../storage.ts";

export interface ExpectedRow {
  readonly id: string;
  readonly version: number;
}

const form = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([1-9][0-9]{0,9})$/;
const MAX_INT = 2_147_483_647;

/** No row ever has it: what the token of another storage stands for, so that it is stale like any other. */
const nobody: ExpectedRow = { id: "00000000-0000-0000-0000-000000000000", version: 0 };

/** How many times the file was written, to show beside its token; undefined for a token of another storage. Two files of one name, one after the other, both start at 1. */
export function versionNumber(version: Version): number | undefined {
  const row = expectedRow(version);
  return row === nobody ? undefined : row.version;
}

/** Reads a token; one that was never ours matches nothing. */
export function expectedRow(version: Version): ExpectedRow {
  const [, id, count] = form.exec(version) ?? [];
  if (id === undefined || count === undefined || Number(count) > MAX_INT) return nobody;
  return { id, version: Number(count) };
}
