import { HangoError, shownPath } from "../../../errors.ts";
import { alreadyExists, conflict, notADirectory, notAFile } from "../../../contract/refusals.ts";
import { storedContentType } from "../../../path/content-type.ts";
import { uuidV7 } from "../../../path/uuid.ts";
import type { FileInfo, FilePath, WriteOptions } from "../../../storage.ts";
import { decodeText } from "../../../text/utf8.ts";
import type { Row } from "../driver/driver.ts";
import { ancestorKeys, keyOf } from "./key-range.ts";
import { originValues } from "./origin.ts";
import { explainQuota } from "./quota.ts";
import { inScope, infoOf, onlyRow, run, type Scope, textOf, versionOf } from "./scope.ts";
import type { SqlValues } from "./statement.ts";
import { treeLock } from "./tree-lock.ts";
import { expectedRow } from "./version.ts";
import { createSql, updateSql } from "./write.ts";

/** Rounds of update and create before a path that others keep deleting and making is given up. */
const MAX_ROUNDS = 10;

interface Write {
  readonly scope: Scope;
  readonly path: FilePath;
  readonly values: SqlValues;
  readonly newType: string;
  readonly options: WriteOptions;
}

/**
 * Writes one file: with a version in one round trip, with "absent" in one, else over what is there, or new, in at most two.
 * Atomicity: content, usage and event in one transaction. A write that is sent again after a lost answer finds its own mark.
 */
export async function writeFile(scope: Scope, path: FilePath, bytes: Uint8Array, options: WriteOptions = {}): Promise<FileInfo> {
  const text = decodeText(bytes);
  const given = options.contentType;
  const expected = options.ifVersion === undefined || options.ifVersion === "absent" ? undefined : expectedRow(options.ifVersion);
  const write: Write = {
    scope,
    path,
    options,
    newType: storedContentType({ given, kept: undefined, path, isText: text !== undefined }),
    values: {
      ...originValues(options),
      path: keyOf(path),
      content: text ?? null,
      bytes: text === undefined ? bytes : null,
      size: bytes.length,
      op: uuidV7(),
      event: uuidV7(),
      expectedId: expected?.id ?? null,
      expectedVersion: expected?.version ?? null,
    },
  };
  return explainQuota(scope, path, () => outcome(write));
}

async function outcome(write: Write): Promise<FileInfo> {
  const { path, options } = write;
  if (options.ifVersion === "absent") {
    const row = await create(write);
    if (isMade(row)) return madeInfo(row, path);
    throw alreadyExists(path, currentOf(row));
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const row = await update(write);
    if (row["won"] === true || row["mine"] === true) return infoOf(row, path);
    if (row["directory"] === true) throw notAFile(path);
    if (options.ifVersion !== undefined) throw conflict(path, currentOf(row));
    const made = await create(write);
    if (isMade(made)) return madeInfo(made, path);
  }
  const shown = shownPath(path);
  throw new HangoError("unavailable", `${shown} was made and deleted by others ${MAX_ROUNDS} times while it was being written; nothing was written. Retry.`, {
    path: shown,
    op: "write",
  });
}

/** True also when an earlier attempt made it and its answer was lost: the row carries the id of this very call. */
function isMade(row: Row): boolean {
  return row["won"] === true || row["mine"] === true;
}

/** Others may have written over it before the lost answer was asked for again; what this call made is version 1. */
function madeInfo(row: Row, path: FilePath): FileInfo {
  return { ...infoOf(row, path), version: `${textOf(row, "id") ?? ""}.1` };
}

async function update({ scope, values, options }: Write): Promise<Row> {
  const statement = inScope(scope, updateSql(scope.driver.schema), { ...values, type: options.contentType ?? null });
  return onlyRow(await run(scope, [statement], options));
}

async function create({ scope, path, values, newType, options }: Write): Promise<Row> {
  const statement = inScope(scope, createSql(scope.driver.schema), { ...values, type: newType, ancestors: ancestorKeys(path) });
  const row = onlyRow(await run(scope, [...treeLock(scope), statement], options));
  const above = textOf(row, "above");
  if (above !== undefined) throw notADirectory(path, above);
  if (textOf(row, "below") !== undefined) throw notAFile(path);
  return row;
}

function currentOf(row: Row): string | undefined {
  return versionOf(row, { id: "old_id", version: "old_version" });
}
