import { notADirectory, notAFile, staleMutations } from "../../../contract/refusals.ts";
import { HangoError } from "../../../errors.ts";
import { storedContentType } from "../../../path/content-type.ts";
import { comparePaths, isBelow } from "../../../path/path.ts";
import { uuidV7 } from "../../../path/uuid.ts";
import type { CallOptions, FileInfo, FilePath, Mutation } from "../../../storage.ts";
import { decodeText } from "../../../text/utf8.ts";
import type { Row, RunOptions, SqlScalar } from "../driver/driver.ts";
import { applySql } from "./apply.ts";
import { infoOfEvent, runChange } from "./change.ts";
import { ancestorKeys, keyOf } from "./key-range.ts";
import { originValues } from "./origin.ts";
import { explainQuota } from "./quota.ts";
import { inScope, infoOf, numberOf, type Scope, textOf } from "./scope.ts";
import { treeLock } from "./tree-lock.ts";
import { expectedRow } from "./version.ts";

/** Changes from which on a commit counts as many. */
const MANY = 64;
/** For the transaction only. */
const WITHOUT_NESTED_LOOPS: RunSettings = { settings: { enable_nestloop: "off" } };
type RunSettings = Readonly<Pick<RunOptions, "settings">>;

/** A mutation with what it needs in SQL. `n` is its place in the order given. */
interface Change {
  readonly n: number;
  readonly mutation: Mutation;
  readonly text: string | undefined;
  readonly newType: string;
  readonly id: string;
  readonly event: string;
}

/**
 * Applies the mutations, all or nothing, in one round trip.
 * Errors: already_exists or conflict naming every stale path; not_a_file, not_a_directory for a create in the way of others.
 */
export async function applyMutations(scope: Scope, mutations: readonly Mutation[], options: CallOptions = {}): Promise<readonly FileInfo[]> {
  if (mutations.length === 0) return [];
  const changes = mutations.map(changeOf);
  // In path order, so that two commits lock their rows in the same order.
  const sorted = changes.toSorted((a, b) => comparePaths(a.mutation.path, b.mutation.path));
  const ancestors = new Set(sorted.filter(({ mutation }) => mutation.kind === "create").flatMap(({ mutation }) => ancestorKeys(mutation.path as FilePath)));
  const values = { ...originValues(options), ...columns(sorted), op: uuidV7(), ancestors: [...ancestors] };
  const shape = changes.length < MANY ? "few" : "many";
  const statements = [...treeLock(scope), inScope(scope, applySql(scope.driver.schema, shape), values)];
  const runOptions = { ...options, ...(shape === "few" ? {} : WITHOUT_NESTED_LOOPS) };
  const doneOf = (rows: readonly Row[]): readonly Row[] => rows.filter((row) => textOf(row, "what") === "done");
  const isDone = (rows: readonly Row[]): boolean => doneOf(rows).length === mutations.length;
  const events = changes.map(({ event }) => event);
  const { rows, kept } = await explainQuota(scope, undefined, () => runChange(scope, { statements, events, isDone, options: runOptions }));
  if (kept !== undefined) return changes.flatMap((change) => remembered(change, kept));
  if (isDone(rows)) return written(changes, new Map(doneOf(rows).map((row) => [numberOf(row, "n"), row])));
  throw refusal(changes, rows);
}

function changeOf(mutation: Mutation, n: number): Change {
  const text = mutation.kind === "delete" ? undefined : decodeText(mutation.bytes);
  const given = mutation.kind === "delete" ? undefined : mutation.contentType;
  const newType = storedContentType({ given, kept: undefined, path: mutation.path, isText: text !== undefined });
  return { n, mutation, text, newType, id: uuidV7(), event: uuidV7() };
}

function columns(changes: readonly Change[]): Readonly<Record<string, readonly SqlScalar[]>> {
  const column = (of: (change: Change) => SqlScalar): readonly SqlScalar[] => changes.map(of);
  const expected = changes.map(({ mutation }) =>
    mutation.kind === "create" || mutation.ifVersion === undefined ? undefined : expectedRow(mutation.ifVersion),
  );
  return {
    numbers: column(({ n }) => n),
    ops: column(({ mutation }) => mutation.kind.charAt(0)),
    ids: column(({ id }) => id),
    paths: column(({ mutation }) => keyOf(mutation.path)),
    contents: column(({ text }) => text ?? null),
    // As text: the drivers do not agree on how bytes stand inside an array.
    binaries: column(({ mutation, text }) => (mutation.kind === "delete" || text !== undefined ? null : Buffer.from(mutation.bytes).toString("base64"))),
    sizes: column(({ mutation }) => (mutation.kind === "delete" ? null : mutation.bytes.length)),
    types: column(({ mutation }) => (mutation.kind === "delete" ? null : (mutation.contentType ?? null))),
    newTypes: column(({ newType }) => newType),
    expectedIds: expected.map((row) => row?.id ?? null),
    expectedVersions: expected.map((row) => row?.version ?? null),
    events: column(({ event }) => event),
  };
}

function written(changes: readonly Change[], rows: ReadonlyMap<number | undefined, Row>): readonly FileInfo[] {
  return changes.flatMap(({ n, mutation }) => {
    const row = rows.get(n);
    return mutation.kind === "delete" || row === undefined ? [] : [infoOf(row, mutation.path)];
  });
}

function remembered({ mutation, event, newType }: Change, kept: ReadonlyMap<string, Row>): readonly FileInfo[] {
  const row = kept.get(event);
  return mutation.kind === "delete" || row === undefined ? [] : [infoOfEvent(row, mutation.path, newType)];
}

function refusal(changes: readonly Change[], rows: readonly Row[]): HangoError {
  const of = (what: string): readonly string[] => {
    const numbers = new Set(rows.filter((row) => textOf(row, "what") === what).map((row) => numberOf(row, "n")));
    return changes.filter(({ n }) => numbers.has(n)).map(({ mutation }) => mutation.path);
  };
  const [existing, stale, [over]] = [of("exists"), of("stale"), of("below")];
  if (existing.length + stale.length > 0) return staleMutations(existing, stale);
  if (over !== undefined) return notAFile(over);
  const above = rows.find((row) => textOf(row, "what") === "above");
  const file = above === undefined ? undefined : textOf(above, "path")?.slice(1);
  const below = file === undefined ? undefined : changes.find(({ mutation }) => mutation.kind === "create" && isBelow(mutation.path, file));
  if (file !== undefined && below !== undefined) return notADirectory(below.mutation.path, file);
  return new HangoError("internal", "The database answered apply without an outcome.", { op: "apply" });
}
