/** The changes as a file for `git apply`. */
import { constants } from "node:fs";
import { access, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Change, HangoError, decodeText } from "hango";
import { plain, say } from "../output.ts";

/** Before a run that may take long and cost money: can the patch be written at its end? Errors: invalid_argument. */
export async function checkPatchFile(file: string): Promise<void> {
  const at = resolve(file);
  // What can't be looked at is taken as not there; whether it could be written is asked next, and answered in words.
  const found = await stat(at).catch(() => undefined);
  if (found !== undefined && !found.isFile()) throw new HangoError("invalid_argument", `--patch ${file} is not a file.`);
  try {
    await access(found === undefined ? dirname(at) : at, constants.W_OK);
  } catch (cause) {
    throw new HangoError("invalid_argument", `--patch ${file} can't be written: its directory is missing, or you may not write there.`, { cause });
  }
}

/** Writes the diff and names the changes that it can't carry. `fresh`: an existing file is not replaced. Errors: invalid_argument. */
export async function savePatch(
  file: string,
  { changes, diff, fresh = false }: { readonly changes: readonly Change[]; readonly diff: string; readonly fresh?: boolean },
): Promise<void> {
  try {
    await writeFile(resolve(file), diff, { flag: fresh ? "wx" : "w" });
  } catch (cause) {
    throw new HangoError(
      "invalid_argument",
      `The patch can't be written to ${file}${(cause as NodeJS.ErrnoException).code === "EEXIST" ? ": the file is there already" : ""}.`,
      { cause },
    );
  }
  const left = changes.filter(isBinary).map(({ path }) => plain(path));
  if (left.length > 0) say(`left out of ${file}, because a patch holds only text: ${left.join(", ")}`);
}

function isBinary(change: Change): boolean {
  return [change.kind === "create" ? undefined : change.previous, change.kind === "delete" ? undefined : change.bytes].some(
    (bytes) => bytes !== undefined && decodeText(bytes) === undefined,
  );
}
