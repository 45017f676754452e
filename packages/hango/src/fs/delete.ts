import { HangoError, isHangoError } from "../errors.ts";
import type { FileSystem } from "../filesystem.ts";
import { callOf } from "../contract/call-of.ts";
import { listPages } from "../contract/derive/pages.ts";
import { notAFile } from "../contract/refusals.ts";
import { MAX_MUTATIONS } from "../limits.ts";
import { toAgentPath } from "../path/path.ts";
import type { CallOptions, DeleteOptions, FileInfo, FilePath } from "../storage.ts";
import { absent, explainMissing } from "./absent.ts";
import { pathFor, type FsContext } from "./context.ts";
import { type DeleteCall, lookAt, withTreeLook } from "./tree-look.ts";

/** Sees the files below a directory before the first goes; what it throws stops the whole. */
export type TreeCheck = (files: readonly FileInfo[]) => Promise<void>;

/** The version that a call names is of the path as a file: a directory has none. */
const versionOfFile: unique symbol = Symbol("versionOfFile");

interface CheckedCall extends DeleteCall {
  readonly [versionOfFile]?: true;
}

const useRecursive = "Set recursive to delete it with everything below it.";

/**
 * Deletes a path with all that is below it, at the very versions that were checked: one listing serves both, so nothing slips in between.
 * `ifVersion` counts where the path is a file; a directory has none.
 */
export async function deleteChecked(fs: FileSystem, path: string, options: DeleteOptions & { readonly check: TreeCheck }): Promise<void> {
  const { check, ...rest } = options;
  const call: CheckedCall = { ...rest, recursive: true, [versionOfFile]: true };
  await fs.delete(
    path,
    withTreeLook(call, async ({ kind, files }) => {
      if (kind === "directory") await check(files);
    }),
  );
}

/**
 * Deletes a file, or with `recursive` a directory with everything below it.
 * Errors: not_found, conflict; not_a_file for a directory without `recursive`; too_large for one of more than MAX_MUTATIONS files.
 * Atomicity: a directory goes as a whole where the storage has `apply`; elsewhere file by file in order of paths, and the error of the first failure says how far it came.
 */
export async function deletePath(fs: FsContext, path: string, options: CheckedCall): Promise<void> {
  const at = pathFor(fs, path);
  if (options.recursive === true) return deleteTree(fs, at, options);
  if (at === "") throw notAFile(at, useRecursive);
  return deleteFile(fs, at, options);
}

async function deleteFile(fs: FsContext, file: FilePath, options: DeleteOptions): Promise<void> {
  const { ifVersion } = options;
  try {
    await fs.storage.delete(file, { ...callOf(options), ...(ifVersion === undefined ? {} : { ifVersion }) });
  } catch (error) {
    throw await explainMissing(fs, file, { error, options, advice: useRecursive });
  }
}

async function deleteTree(fs: FsContext, at: FilePath | "", options: CheckedCall): Promise<void> {
  const files = await filesAt(fs, at, options);
  const [first] = files;
  if (first === undefined) {
    if (at === "") return;
    throw await absent(fs, at, options);
  }
  const isFile = first.path === at;
  if (!isFile && options.ifVersion !== undefined && options[versionOfFile] !== true)
    throw new HangoError("invalid_argument", `${toAgentPath(at)} is a directory, which has no version; leave ifVersion out.`, { path: toAgentPath(at) });
  await lookAt({ kind: isFile ? "file" : "directory", files: isFile ? [first] : files }, options);
  if (isFile) return deleteFile(fs, at as FilePath, options);
  if (fs.storage.apply === undefined) return deleteOneByOne(fs, at, { files, options });
  // With its version each is deleted as it was seen: an edit that comes between stops the whole.
  await fs.storage.apply(
    files.map(({ path, version }) => ({ kind: "delete", path, ifVersion: version })),
    callOf(options),
  );
}

async function filesAt(fs: FsContext, at: FilePath | "", options: CallOptions): Promise<readonly FileInfo[]> {
  const files: FileInfo[] = [];
  for await (const page of listPages(fs.storage.list, { ...callOf(options), prefix: at })) {
    files.push(...page);
    if (files.length > MAX_MUTATIONS) {
      const shown = toAgentPath(at);
      throw new HangoError("too_large", `${shown} holds more than ${MAX_MUTATIONS} files; nothing was deleted. Delete its subdirectories one by one.`, {
        path: shown,
        details: { maxFiles: MAX_MUTATIONS },
      });
    }
  }
  return files;
}

async function deleteOneByOne(fs: FsContext, at: string, work: { readonly files: readonly FileInfo[]; readonly options: CallOptions }): Promise<void> {
  const { files, options } = work;
  let deleted = 0;
  for (const info of files) {
    const { path } = info;
    try {
      if (await deleteSeen(fs, info, callOf(options))) deleted += 1;
    } catch (error) {
      if (!isHangoError(error)) throw error;
      const shown = toAgentPath(path);
      throw new HangoError(error.code, `Deleted ${deleted} of ${files.length} files below ${toAgentPath(at)}, then stopped at ${shown}: ${error.message}`, {
        op: "delete",
        path: shown,
        details: { ...error.details, deleted },
        cause: error,
      });
    }
  }
}

/** Deletes a file as it was seen: an edit that came between is a conflict. False when it is gone already, which is what was asked for. */
async function deleteSeen(fs: FsContext, { path, version }: FileInfo, call: CallOptions): Promise<boolean> {
  try {
    await fs.storage.delete(path, { ...call, ifVersion: version });
    return true;
  } catch (error) {
    if (isHangoError(error, "not_found")) return false;
    if (isHangoError(error, "conflict") && (await fs.storage.stat(path, call)) === undefined) return false;
    if (!isHangoError(error, "unsupported")) throw error;
    // A storage without versions has nothing better to offer.
    await fs.storage.delete(path, call);
    return true;
  }
}
