import { HangoError, shownPath } from "../../../errors.ts";
import { alreadyExists, conflict, notADirectory, notAFile } from "../../../contract/refusals.ts";
import { storedContentType } from "../../../path/content-type.ts";
import { uuidV7 } from "../../../path/uuid.ts";
import type { FileInfo, FilePath, WriteOptions } from "../../../storage.ts";
import { decodeText } from "../../../text/utf8.ts";
import type { Row, Statement } from "../driver/driver.ts";
import { infoOfEvent, runChange } from "./change.ts";
import { ancestorKeys, keyOf } from "./key-range.ts";
import { originValues } from "./origin.ts";
import { explainQuota } from "./quota.ts";
import { inScope, infoOf, onlyRow, type Scope, textOf, versionOf } from "./scope.ts";
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
  /** The id of the event that this call keeps. */
  readonly event: string;
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
  const event = uuidV7();
  const write: Write = {
    scope,
    path,
    options,
    event,
    newType: storedContentType({ given, kept: undefined, path, isText: text !== undefined }),
    values: {
      ...originValues(options),
      path: keyOf(path),
      content: text ?? null,
      bytes: text === undefined ? bytes : null,
      size: bytes.length,
      op: uuidV7(),
      event,
      expectedId: expected?.id ?? null,
      expectedVersion: expected?.version ?? null,
    },
  };
  return explainQuota(scope, path, () => outcome(write));
}

async function outcome(write: Write): Promise<FileInfo> {
  const { path, options } = write;
  if (options.ifVersion === "absent") {
    const made = await create(write);
    if (made.info !== undefined) return made.info;
    throw alreadyExists(path, currentOf(made.row));
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { info, row } = await update(write);
    if (info !== undefined) return info;
    if (row["directory"] === true) throw notAFile(path);
    if (options.ifVersion !== undefined) throw conflict(path, currentOf(row));
    const made = await create(write);
    if (made.info !== undefined) return made.info;
  }
  const shown = shownPath(path);
  throw new HangoError("unavailable", `${shown} was made and deleted by others ${MAX_ROUNDS} times while it was being written; nothing was written. Retry.`, {
    path: shown,
    op: "write",
  });
}

/** The file as this call wrote it; without it the row says what stood in the way. */
interface Sent {
  readonly info?: FileInfo;
  readonly row: Row;
}

/** True also when an earlier attempt wrote it and its answer was lost: the row carries the id of this very call. */
function isDone([row]: readonly Row[]): boolean {
  return row?.["won"] === true || row?.["mine"] === true;
}

async function send({ scope, path, event, newType, options }: Write, statements: readonly Statement[], infoOfRow: (row: Row) => FileInfo): Promise<Sent> {
  const { rows, kept } = await runChange(scope, { statements, events: [event], isDone, options });
  const found = kept?.get(event);
  if (found !== undefined) return { info: infoOfEvent(found, path, newType), row: found };
  const row = onlyRow(rows);
  return isDone(rows) ? { info: infoOfRow(row), row } : { row };
}

function update(write: Write): Promise<Sent> {
  const { scope, path, values, options } = write;
  const statement = inScope(scope, updateSql(scope.driver.schema), { ...values, type: options.contentType ?? null });
  return send(write, [statement], (row) => infoOf(row, path));
}

async function create(write: Write): Promise<Sent> {
  const { scope, path, values, newType } = write;
  const statement = inScope(scope, createSql(scope.driver.schema), { ...values, type: newType, ancestors: ancestorKeys(path) });
  // Others may have written over it before the lost answer was asked for again; what this call made is version 1.
  const sent = await send(write, [...treeLock(scope), statement], (row) => ({ ...infoOf(row, path), version: `${textOf(row, "id") ?? ""}.1` }));
  if (sent.info !== undefined) return sent;
  const above = textOf(sent.row, "above");
  if (above !== undefined) throw notADirectory(path, above);
  if (textOf(sent.row, "below") !== undefined) throw notAFile(path);
  return sent;
}

function currentOf(row: Row): string | undefined {
  return versionOf(row, { id: "old_id", version: "old_version" });
}
