/** Many files at once: a stream of them, a few megabytes a transaction, or all in one. */
import { namePaths } from "../../../contract/refusals.ts";
import { HangoError } from "../../../errors.ts";
import { MAX_SKIPPED } from "../../../limits.ts";
import { uuidV7 } from "../../../path/uuid.ts";
import type { CallOptions } from "../../../storage.ts";
import { checkOptions } from "../database-options.ts";
import type { Row, Statement, Transaction } from "../driver/driver.ts";
import { originValues } from "../sql/origin.ts";
import { explainQuota } from "../sql/quota.ts";
import { inScope, lastRows, numberOf, run, type Scope, textOf } from "../sql/scope.ts";
import { treeLock } from "../sql/tree-lock.ts";
import { type Chunk, createChunk, type LoadFile } from "./chunk.ts";
import { addUsageSql, copySql, emptyStageSql, loadSql, makeStageSql } from "./load-sql.ts";
import { createTally, type LoadReport, REASONS, type Tally } from "./report.ts";

export interface LoadOptions extends CallOptions {
  /** Which files of other bytes are written over: none (default), those whose time is older, all. */
  readonly overwrite?: "never" | "newer" | "always";
  /** All of them or none: what can't be stored, or would be kept, is then an error. Others who create files here wait for the end. */
  readonly atomic?: boolean;
  /** What is stored so far, after each transaction; with `atomic`, what will be. */
  readonly onProgress?: (report: LoadReport) => void;
}

/** The lists of a chunk look like a handful of rows to the planner, and it would join them by nested loops, which is quadratic. */
const SETTINGS = { enable_nestloop: "off" };

interface Load {
  readonly scope: Scope;
  readonly op: string;
  readonly options: LoadOptions;
  readonly tally: Tally;
}

/** Stores one chunk. */
type Store = (chunk: Chunk) => Promise<void>;

/**
 * Stores the files as the owner's own hand. Files that are there with the same bytes are passed by, so a load that was interrupted can be run again.
 * An abort ends it between two transactions. The bytes of a file may be reused once the next one is asked for.
 * Errors: quota_exceeded, unavailable, unsupported; with `atomic` also already_exists and invalid_argument.
 * Atomicity: a transaction of a few megabytes each; with `atomic`, one.
 */
export async function loadFiles(scope: Scope, files: AsyncIterable<LoadFile> | Iterable<LoadFile>, options: LoadOptions = {}): Promise<LoadReport> {
  checkLoadOptions(options);
  if (!scope.driver.capabilities.temporaryTables)
    throw new HangoError("unsupported", "A load needs temporary tables, which this role may not make. Run: grant temporary on database … to …;");
  const load: Load = { scope, op: uuidV7(), options, tally: createTally() };
  await explainQuota(scope, undefined, () => (options.atomic === true ? inOne(load, files) : inMany(load, files)));
  return load.tally.report();
}

function checkLoadOptions(options: LoadOptions): void {
  checkOptions("load", options, ["overwrite", "atomic", "onProgress", "signal", "origin"]);
  const modes: readonly unknown[] = ["never", "newer", "always", undefined];
  if (!modes.includes(options.overwrite)) throw new HangoError("invalid_argument", 'overwrite must be "never", "newer" or "always".');
  if (options.atomic !== undefined && typeof options.atomic !== "boolean") throw new HangoError("invalid_argument", "atomic must be true or false.");
}

async function inMany(load: Load, files: AsyncIterable<LoadFile> | Iterable<LoadFile>): Promise<void> {
  const { schema } = load.scope.driver;
  await feed(load, files, async (chunk) => {
    const statements = [inScope(load.scope, makeStageSql(schema)), copyOf(load, chunk), ...treeLock(load.scope), moveOf(load, chunk, true)];
    take(load, lastRows(await run(load.scope, statements, { settings: SETTINGS })));
  });
}

async function inOne(load: Load, files: AsyncIterable<LoadFile> | Iterable<LoadFile>): Promise<void> {
  const { driver, namespace } = load.scope;
  const signal = load.options.signal;
  const transaction = await driver.begin({ namespace, settings: SETTINGS, ...(signal === undefined ? {} : { signal }) });
  try {
    await fill(load, transaction, files);
    await transaction.commit();
  } finally {
    await transaction.rollback();
  }
}

async function fill(load: Load, transaction: Transaction, files: AsyncIterable<LoadFile> | Iterable<LoadFile>): Promise<void> {
  const { scope, tally } = load;
  const { schema } = scope.driver;
  const delta = { files: 0, bytes: 0 };
  await transaction.run([...treeLock(scope), inScope(scope, makeStageSql(schema))]);
  await feed(load, files, async (chunk) => {
    const rows = await transaction.run([inScope(scope, emptyStageSql(schema)), copyOf(load, chunk), moveOf(load, chunk, false)]);
    const change = take(load, rows.at(-1) ?? []);
    delta.files += change.files;
    delta.bytes += change.bytes;
  });
  const report = tally.report();
  if (report.kept + report.refused > 0) throw notWhole(report);
  if (delta.files !== 0 || delta.bytes !== 0) await transaction.run([inScope(scope, addUsageSql(schema), delta)]);
}

/** While one chunk is stored, the next one is filled. */
async function feed({ scope, op, options, tally }: Load, files: AsyncIterable<LoadFile> | Iterable<LoadFile>, store: Store): Promise<void> {
  let [filling, spare] = [createChunk(scope.namespace, op), createChunk(scope.namespace, op)];
  let storing: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    await storing;
    options.signal?.throwIfAborted();
    const full = filling;
    [filling, spare] = [spare, full];
    filling.clear();
    storing = store(full).then(() => options.onProgress?.(tally.report()));
    // Whoever waits for it hears of it; until then it is nobody's unhandled rejection.
    storing.catch(() => undefined);
  }

  try {
    for await (const file of files) {
      options.signal?.throwIfAborted();
      let outcome = filling.add(file);
      if (outcome === "later") {
        await flush();
        outcome = filling.add(file);
      }
      if (typeof outcome === "object") {
        tally.count("refused", 1, 0);
        tally.name(file.path, "refused", outcome.refused);
      }
      if (filling.isFull()) await flush();
    }
    if (filling.files() > 0) await flush();
  } finally {
    await storing;
  }
  options.signal?.throwIfAborted();
}

function copyOf({ scope }: Load, chunk: Chunk): Statement {
  return { ...inScope(scope, copySql(scope.driver.schema)), copy: chunk.rows() };
}

function moveOf({ scope, op, options }: Load, chunk: Chunk, counts: boolean): Statement {
  return inScope(scope, loadSql(scope.driver.schema), {
    ...originValues(options),
    op,
    mode: options.overwrite ?? "never",
    paths: chunk.paths(),
    ancestors: chunk.ancestors(),
    counts,
    named: MAX_SKIPPED,
  });
}

/** Counts what the database says it did. Answers by how much files and bytes changed. */
function take({ tally }: Load, rows: readonly Row[]): { readonly files: number; readonly bytes: number } {
  const change = { files: 0, bytes: 0 };
  for (const row of rows) {
    const outcome = textOf(row, "outcome") ?? "";
    const path = textOf(row, "path");
    const [files, bytes] = [numberOf(row, "files") ?? 0, numberOf(row, "bytes") ?? 0];
    if (outcome === "delta") Object.assign(change, { files, bytes });
    else if (path === undefined) tally.count(outcome, files, bytes);
    else tally.name(path, outcome === "kept" ? "kept" : "refused", REASONS.get(outcome) ?? outcome);
  }
  return change;
}

function notWhole({ kept, refused, left }: LoadReport): HangoError {
  const code = refused === 0 ? "already_exists" : "invalid_argument";
  const of = (kind: "kept" | "refused"): string =>
    namePaths(left.filter((file) => file.kind === kind).map(({ path, reason }) => (kind === "kept" ? path : `${path} (${reason})`)));
  const parts = [
    ...(kept === 0 ? [] : [`${kept} ${kept === 1 ? "file is" : "files are"} there with other content: ${of("kept")}`]),
    ...(refused === 0 ? [] : [`${refused} can't be stored: ${of("refused")}`]),
  ];
  return new HangoError(code, `Nothing was stored, since all or nothing was asked for. ${parts.join("; ")}.`, { op: "load", details: { kept, refused, left } });
}
