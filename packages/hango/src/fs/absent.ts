/** Why nothing was found at a path: a directory where a file is needed, another Unicode form of the name, or nothing at all. */
import { HangoError, isHangoError, notFound } from "../errors.ts";
import { callOf } from "../contract/call-of.ts";
import { notADirectory, notAFile } from "../contract/refusals.ts";
import { toAgentPath } from "../path/path.ts";
import type { CallOptions, Entry, FilePath } from "../storage.ts";
import type { FsContext } from "./context.ts";

export const useLs = "Use ls to see what is below it.";

/** The not_found of a path, with a hint when the same name exists in another Unicode form. */
export async function absent(fs: FsContext, path: string, options: CallOptions): Promise<HangoError> {
  for (const form of ["NFC", "NFD"] as const) {
    const other = path.normalize(form);
    if (other === path || (await statOtherForm(fs, other, options)) === undefined) continue;
    const shown = toAgentPath(path);
    const message = `${shown} does not exist, but a path that looks the same does: its name is in another Unicode form (${form}). Names are compared exactly; copy the path from ls: ${toAgentPath(other)}`;
    return new HangoError("not_found", message, { path: shown, details: { similarPath: toAgentPath(other) } });
  }
  return notFound(path);
}

async function statOtherForm(fs: FsContext, path: string, options: CallOptions): Promise<Entry | undefined> {
  try {
    return await fs.storage.stat(path, callOf(options));
  } catch (error) {
    // The other form can be longer than a path may be; then nothing has that name. And one that may not be read is not to be named.
    if (isHangoError(error, "invalid_path") || isHangoError(error, "forbidden")) return undefined;
    throw error;
  }
}

/** Says why a listing is empty. Errors: not_found, not_a_directory. */
export async function checkDirectory(fs: FsContext, path: FilePath | "", options: CallOptions): Promise<void> {
  if (path === "") return;
  const entry = await fs.storage.stat(path, callOf(options));
  if (entry === undefined) throw await absent(fs, path, options);
  if (entry.kind === "file") throw notADirectory(path, path);
}

/** The error to throw for what a storage threw where a file was needed: a directory is told from nothing, whatever the storage said. */
export async function explainMissing(
  fs: FsContext,
  path: string,
  failure: { readonly error: unknown; readonly options: CallOptions; readonly advice?: string },
): Promise<unknown> {
  const { error, options, advice = useLs } = failure;
  if (isHangoError(error, "not_a_file")) return notAFile(path, advice);
  if (!isHangoError(error, "not_found")) return error;
  const entry = await fs.storage.stat(path, callOf(options));
  return entry?.kind === "directory" ? notAFile(path, advice) : absent(fs, path, options);
}
