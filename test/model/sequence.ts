/** One sequence of operations held against the model, and the books of the database at its end. */
import { isDeepStrictEqual } from "node:util";
import { isHangoError } from "../../packages/hango/src/errors.ts";
import type { Entry, FileInfo } from "../../packages/hango/src/storage.ts";
import type { Effect, Expectation } from "./expectation.ts";
import { filesModel } from "./model-files.ts";
import { infoRow, storageModel } from "./model-storage.ts";
import { factsOf, toolModel, type ToolExpectation } from "./model-tools.ts";
import type { FilesOperation, Operation, StorageOperation, ToolOperation } from "./operation.ts";
import { filePathOf, isBadAgentPath } from "./paths.ts";
import { type Done, perform } from "./perform.ts";
import { identities } from "./rules.ts";
import { allFiles, compareBytes, dropFile, type Recorded, setFile, type Tree } from "./tree.ts";
import { type Neighbour, openWorld, type Room, type Subject, versionFor, type World } from "./world.ts";

export interface Sequence {
  readonly neighbour: Neighbour;
  readonly operations: readonly Operation[];
}

/** Where a storage and the model part ways. */
export class Divergence extends Error {}

/** Runs a sequence in two fresh namespaces. Errors: a Divergence names the operation, what the model says and what came. */
export async function runSequence(subject: Subject, { neighbour, operations }: Sequence): Promise<void> {
  const world = openWorld(subject, neighbour);
  for (const [index, operation] of operations.entries()) {
    try {
      await step(world, operation, `call-${index}`);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      throw new Divergence(`operation ${index + 1}, ${JSON.stringify(operation)}\n  ${what}`, { cause: error });
    }
  }
  for (const [index, tree] of world.trees.entries()) {
    const room = world.rooms[index] as Room;
    check(
      "all files at the end",
      (await room.storage.list()).map(infoRow),
      allFiles(tree).map(({ info }) => infoRow(info)),
    );
    await checkBooks(room, tree);
  }
}

async function step(world: World, operation: Operation, toolCallId: string): Promise<void> {
  const access = world.door(operation.door);
  const { tree } = access;
  const before = tree.record.length;
  const version = (path: string, pick: Parameters<typeof versionFor>[3]): string | undefined => versionFor(world, tree, path, pick);
  const fromAgent = (path: string, pick: Parameters<typeof versionFor>[3]): string | undefined => version(isBadAgentPath(path) ? path : filePathOf(path), pick);
  const isFiles = operation.op.startsWith("fs.");
  const asked = { tree, door: operation.door, version };
  const expected: ToolExpectation = isFiles
    ? filesModel(asked, operation as FilesOperation)
    : operation.op.startsWith("tool.")
      ? toolModel(asked, operation as ToolOperation, access.seen)
      : storageModel(asked, operation as StorageOperation);
  let done: Done | undefined;
  try {
    done = await perform({ access, version: isFiles ? fromAgent : version, toolCallId }, operation);
  } catch (error) {
    checkRefusal(error, expected);
  }
  if (done !== undefined && expected.refused !== undefined)
    throw new Error(`must be refused with ${expected.refused.join(" or ")}, and answered ${shown(done)}`);
  const infos = done === undefined ? [] : await commit(world, operation, expected, done);
  if (done !== undefined && expected.answer !== undefined) checkAnswer(operation, expected, { done, infos });
  for (const [path, left] of expected.seen ?? []) {
    if (left === false) access.seen.delete(path);
    else access.seen.set(path, left === true ? (infos[0]?.version ?? "") : left);
  }
  if (tree.record.length === before) tree.record.push(rowsOf(operation, { expected, effects: [], tree, infos: [], toolCallId }));
  else tree.record[before] = (tree.record[before] ?? []).map((row) => signed(row, operation, toolCallId));
}

function checkRefusal(error: unknown, expected: Expectation): void {
  if (!isHangoError(error)) throw error;
  const { refused = [], details = {} } = expected;
  if (!refused.includes(error.code)) {
    const wanted = refused.length === 0 ? "succeed" : `be refused with ${refused.join(" or ")}`;
    throw new Error(`must ${wanted}, and was refused with ${error.code}: ${error.message}`, { cause: error });
  }
  for (const [name, wanted] of Object.entries(details)) {
    const given = error.details?.[name];
    check(`details.${name}`, Array.isArray(given) ? [...(given as string[])].sort(compareBytes) : given, wanted);
  }
}

/** Checks what was written, and takes it over. Answers the infos of the files written, in order. */
async function commit({ door, trees }: World, operation: Operation, expected: Expectation, done: Done): Promise<readonly FileInfo[]> {
  const { tree } = door(operation.door);
  const { effects = [] } = expected;
  const written = effects.filter((effect) => effect.bytes !== undefined);
  const { storage } = door(operation.door === "other" ? "other" : "owner");
  const infos = done.infos ?? (await Promise.all(written.map(async ({ path }) => infoOf(await storage.stat(path)))));
  check(
    "paths of the infos",
    infos.map(({ path }) => path),
    written.map(({ path }) => path),
  );
  const tokens = [...trees[0].tokens, ...trees[1].tokens];
  for (const [index, effect] of written.entries()) checkInfo(tree, effect, infos[index] as FileInfo, tokens);
  if (effects.length > 0 || expected.noted !== undefined) tree.record.push(rowsOf(operation, { expected, effects, tree, infos, toolCallId: "" }));
  for (const { path, bytes } of effects) if (bytes === undefined) dropFile(tree, path);
  for (const [index, { bytes = new Uint8Array() }] of written.entries()) setFile(tree, bytes, infos[index] as FileInfo);
  return infos;
}

function infoOf(entry: Entry | undefined): FileInfo {
  if (entry?.kind !== "file") throw new Error("what was written is not there");
  return entry.info;
}

function checkInfo(tree: Tree, effect: Effect, info: FileInfo, tokens: readonly string[]): void {
  const old = tree.files.get(effect.path)?.info;
  check("size of what was written", info.sizeBytes, effect.bytes?.length);
  check("content type of what was written", info.contentType, effect.contentType);
  if (tokens.includes(info.version)) throw new Error(`the version ${info.version} was given out before`);
  if (!(info.createdAt instanceof Date) || !(info.updatedAt instanceof Date)) throw new Error("an info without its times");
  if (old !== undefined) check("time of creation", info.createdAt.getTime(), old.createdAt?.getTime());
  if (info.createdAt > info.updatedAt) throw new Error("an update before its creation");
}

function checkAnswer(operation: Operation, { answer }: Expectation, { done, infos }: { readonly done: Done; readonly infos: readonly FileInfo[] }): void {
  if (operation.op === "fs.edit") check("answer", done.answer, [...(answer as readonly unknown[]), infos[0]?.version]);
  else if (operation.op === "tool.edit_file") check("first line", String(done.answer).split("\n")[0], answer);
  else check("answer", operation.op.startsWith("tool.") ? factsOf(String(done.answer)) : done.answer, answer);
}

// ── the record ───────────────────────────────────────────────────────────────────────────────────────

interface Told {
  readonly expected: Expectation;
  readonly effects: readonly Effect[];
  readonly tree: Tree;
  readonly infos: readonly FileInfo[];
  readonly toolCallId: string;
}

function rowsOf(operation: Operation, { expected, effects, tree, infos, toolCallId }: Told): readonly Recorded[] {
  const rows = effects.map(({ path, bytes }) => {
    const old = tree.files.get(path);
    const version = infos.find((one) => bytes !== undefined && one.path === path)?.version;
    // A deletion says how much went.
    const sizeBytes = (bytes ?? old?.bytes)?.length;
    return {
      action: bytes === undefined ? "file.delete" : "file.write",
      outcome: "ok",
      path: `/${path}`,
      version,
      previousVersion: old?.info.version,
      sizeBytes,
      actor: "",
    };
  });
  return [...rows, ...(expected.noted ?? []).map((row) => ({ ...row, actor: "" }))].map((row) => signed(row, operation, toolCallId));
}

function signed(row: Recorded, { door, op }: Operation, toolCallId: string): Recorded {
  const { actor = "operator", sessionId } = identities[door];
  const tool = op.startsWith("tool.") ? { tool: op.slice("tool.".length), toolCallId } : {};
  return { ...row, actor, sessionId, principal: door === "operator" ? "pat" : undefined, ...tool };
}

async function checkBooks({ books }: Room, tree: Tree): Promise<void> {
  if (books === undefined) return;
  const held = { files: tree.files.size, bytes: [...tree.files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0) };
  const { files, bytes } = await books.usage();
  check("usage", { files, bytes }, held);
  const expected = tree.record.filter((rows) => rows.length > 0);
  const events = [...(await books.events(1_000))].reverse();
  check("number of rows recorded", events.length, expected.flat().length);
  let start = 0;
  for (const rows of expected) {
    const given = events.slice(start, start + rows.length);
    start += rows.length;
    check("rows recorded", inOrder(given), inOrder(rows));
  }
  check("what erase answers", await books.erase(), held);
}

/** Rows as they are compared: those of one operation in any order. */
function inOrder(rows: readonly Recorded[]): readonly string[] {
  return rows
    .map((row) =>
      JSON.stringify([
        row.action,
        row.outcome,
        // A tree that may not go is refused under a name below it.
        row.path.replace(/\/-$/u, ""),
        row.version,
        row.previousVersion,
        row.sizeBytes,
        row.actor,
        row.sessionId,
        row.principal,
        row.tool,
        row.toolCallId,
      ]),
    )
    .sort();
}

function check(what: string, given: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(given, wanted)) throw new Error(`${what}: got ${shown(given)}\n  want ${shown(wanted)}`);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
