/** Changes to an overlay: checked against the merged view, kept in memory. Nothing reaches the base. */
import { callOf } from "../../contract/call-of.ts";
import { forbiddenIn } from "../../contract/forbidden.ts";
import { newInfo } from "../../contract/new-info.ts";
import { alreadyExists, conflict, notAFile, refuseStaleMutations } from "../../contract/refusals.ts";
import type { HangoError } from "../../errors.ts";
import { uuidV7 } from "../../path/uuid.ts";
import type { CallOptions, DeleteOptions, FileInfo, FilePath, Mutation, Version, WriteOptions } from "../../storage.ts";
import { sameBytes } from "../../text/same-bytes.ts";
import { listedInfos } from "./listed.ts";
import { mapParallel } from "./parallel.ts";
import type { Pin } from "./pending.ts";
import { checkPlace, leavingOf } from "./place.ts";
import { checkRoom } from "./room.ts";
import { baseFile, noFile, readIfThere, type View } from "./view.ts";

/** What a change found out; it is done when it is called, in one step. */
export type Ready<T> = () => T;

interface Found {
  /** The file as the merged view has it. */
  readonly info?: FileInfo | undefined;
  readonly pin?: Pin | undefined;
}

interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  readonly found: Found;
  readonly isSame: boolean | undefined;
}

export async function prepareWrite(
  view: View,
  path: FilePath,
  bytes: Uint8Array,
  options: WriteOptions & { readonly maxBytes: number },
): Promise<Ready<FileInfo>> {
  const { ifVersion, contentType, maxBytes } = options;
  await checkAllowed(view, path);
  const found = await findFile(view, path, options);
  const current = found.info?.version;
  if (ifVersion === "absent" && current !== undefined) throw alreadyExists(path, current);
  if (ifVersion !== undefined && ifVersion !== "absent" && current !== ifVersion) throw await stale(view, path, { current, call: options });
  if (current === undefined) await checkPlace(view, path, { call: options, gone: leavingOf([]) });
  const file: NewFile = { path, bytes, contentType, found, isSame: await isPinned(view, path, { bytes, pin: found.pin, call: options }) };
  return () => {
    checkRoom(view.pending, { files: [file], deletes: [] }, maxBytes);
    return hold(view, file);
  };
}

export async function prepareDelete(view: View, path: FilePath, options: DeleteOptions): Promise<Ready<void>> {
  const { info, pin } = await findFile(view, path, options);
  if (options.ifVersion !== undefined && info?.version !== options.ifVersion) throw await stale(view, path, { current: info?.version, call: options });
  if (info === undefined) throw await noFile(view, path, options);
  await checkAllowed(view, path);
  return () => {
    checkRoom(view.pending, { files: [], deletes: [path] }, Number.POSITIVE_INFINITY);
    release(view, path, pin);
  };
}

export async function prepareApply(
  view: View,
  mutations: readonly Mutation[],
  options: CallOptions & { readonly maxBytes: number },
): Promise<Ready<readonly FileInfo[]>> {
  // A file that is to be there already is found in the listing as well.
  const known = await listedInfos(
    view.base,
    mutations.filter(({ kind, path }) => kind !== "create" && view.pending.get(path) === undefined).map(({ path }) => path),
    callOf(options),
  );
  const found = await mapParallel(mutations, ({ path }) => findFile(view, path as FilePath, options, known.get(path)));
  refuseStaleMutations(mutations, (_, index) => found[index]?.info?.version);
  await mapParallel(mutations, ({ path }) => checkAllowed(view, path));
  const gone = leavingOf(mutations.filter(({ kind }) => kind === "delete").map(({ path }) => path));
  await mapParallel(mutations, async ({ kind, path }) => (kind === "create" ? checkPlace(view, path, { call: options, gone }) : undefined));
  const files = await mapParallel(mutations, async (mutation, index): Promise<NewFile | undefined> => {
    if (mutation.kind === "delete") return undefined;
    const { path, bytes, contentType } = mutation;
    const own = found[index] as Found;
    return { path, bytes, contentType, found: own, isSame: await isPinned(view, path, { bytes, pin: own.pin, call: options }) };
  });
  return () => {
    checkRoom(view.pending, { files: files.filter((file) => file !== undefined), deletes: [...gone.paths] }, options.maxBytes);
    for (const [index, { kind, path }] of mutations.entries()) if (kind === "delete") release(view, path, found[index]?.pin);
    return files.flatMap((file) => (file === undefined ? [] : [hold(view, file)]));
  };
}

/** One change that the base refuses for good would hold up the commit of all others. What is held already may always be taken back. */
async function checkAllowed({ base, pending }: View, path: string): Promise<void> {
  const forbidden = pending.get(path) === undefined ? await forbiddenIn(base, path) : undefined;
  if (forbidden !== undefined) throw forbidden;
}

async function findFile(view: View, path: FilePath, options: CallOptions, known?: FileInfo): Promise<Found> {
  const held = view.pending.get(path);
  if (held !== undefined) return { info: held.kind === "file" ? held.info : undefined, pin: held.pin };
  const info = known ?? (await baseFile(view, path, options)).info;
  return info === undefined ? {} : { info, pin: { version: info.version, sizeBytes: info.sizeBytes } };
}

/** A directory that stands there now says more than that the file is gone. */
async function stale(
  view: View,
  path: FilePath,
  { current, call }: { readonly current: Version | undefined; readonly call: CallOptions },
): Promise<HangoError> {
  const isDirectory = current === undefined && (await noFile(view, path, call)).code === "not_a_file";
  return isDirectory ? notAFile(path) : conflict(path, current);
}

/** Whether bytes equal the base's at the pin. Only a file of the same size is read; undefined when the base has moved since. */
async function isPinned(
  view: View,
  path: string,
  { bytes, pin, call }: { readonly bytes: Uint8Array; readonly pin: Pin | undefined; readonly call: CallOptions },
): Promise<boolean | undefined> {
  if (pin?.sizeBytes !== bytes.length) return false;
  const before = await readIfThere(view, path, call);
  return before?.info.version === pin.version ? sameBytes(before.bytes, bytes) : undefined;
}

function hold({ pending }: View, file: NewFile): FileInfo {
  const { path, bytes, found, isSame } = file;
  // Its own token for each write, so that none of the base's ever matches.
  const info = newInfo(file, `held.${uuidV7()}`, found.info);
  pending.set({ kind: "file", path, info, bytes, pin: found.pin, isSame });
  return { ...info };
}

/** Deletes a file of the base, or forgets one that the base never had. */
function release({ pending }: View, path: string, pin: Pin | undefined): void {
  if (pin === undefined) pending.drop(path);
  else pending.set({ kind: "delete", path, pin });
}
