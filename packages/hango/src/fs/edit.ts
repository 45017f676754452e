import { HangoError } from "../errors.ts";
import { callOf } from "../contract/call-of.ts";
import { checkIfVersion } from "../contract/check-options.ts";
import { checkSize } from "../contract/check-size.ts";
import { makePace } from "../contract/pace.ts";
import { conflict, notAFile, notText } from "../contract/refusals.ts";
import type { EditOptions, EditResult } from "../filesystem.ts";
import { toAgentPath } from "../path/path.ts";
import type { CallOptions, FileData, FilePath } from "../storage.ts";
import { shortDiff } from "../text/diff.ts";
import { replaceExact } from "../text/replace.ts";
import { checkText, decodeText, encodeUtf8 } from "../text/utf8.ts";
import { explainMissing } from "./absent.ts";
import { pathFor, type FsContext } from "./context.ts";

/** Units of the diff in an answer; a longer one ends with a note. */
const EDIT_DIFF_CHARS = 2_000;

export interface EditCall extends EditOptions {
  readonly oldText: string;
  readonly newText: string;
}

/**
 * Replaces exact text: read, replace, write over the version read. The content type is kept.
 * Errors: invalid_argument, no_match, ambiguous_match, conflict (also when another write came between), not_found, not_a_file, not_text, invalid_content, too_large.
 */
export async function edit(fs: FsContext, path: string, options: EditCall): Promise<EditResult> {
  const { ifVersion, newText, oldText, replaceAll = false } = options;
  const file = pathFor(fs, path);
  if (file === "") throw notAFile(file);
  if (typeof oldText !== "string" || typeof newText !== "string") throw new HangoError("invalid_argument", "old_string and new_string must be strings.");
  checkText(newText, file);
  checkIfVersion(ifVersion, "version");
  const call = callOf(options);
  const { info, bytes } = await readWhole(fs, file, call);
  if (ifVersion !== undefined && ifVersion !== info.version) throw conflict(file, info.version);
  // Each step is linear, but all of them at once would hold the event loop for a large file.
  const pace = makePace(options.signal);
  await pace(bytes.length);
  const before = decodeText(bytes);
  if (before === undefined) throw notText(file);
  const { maxFileBytes } = fs.limits;
  const { text, replacements } = replaceExact(before, oldText, newText, { replaceAll, path: file, maxBytes: maxFileBytes });
  await pace(text.length);
  const result = encodeUtf8(text);
  checkSize(result.length, maxFileBytes, file);
  const written = await fs.storage.write(file, result, { ...call, ifVersion: info.version });
  // The file is changed: an abort from here on changes nothing, so the diff is only paced.
  await makePace(undefined)(text.length);
  return {
    path: toAgentPath(file),
    replacements,
    version: written.version,
    sizeBytes: written.sizeBytes,
    diff: shortDiff(file, before, text, EDIT_DIFF_CHARS),
  };
}

async function readWhole(fs: FsContext, file: FilePath, options: CallOptions): Promise<FileData> {
  try {
    return await fs.storage.read(file, options);
  } catch (error) {
    throw await explainMissing(fs, file, { error, options });
  }
}
