/** Which rule refused a call, as one word of a closed set: a message could hold a path or a piece of a file. */
import { type ErrorCode, errorTable, isHangoError } from "../errors.ts";
import { toFilePath } from "../path/path.ts";
import { placeOf } from "../path/reserved.ts";

export type Rule =
  | "machine_path"
  | "reserved_path"
  | "actor_or_permission"
  | "path_syntax"
  | "pattern_syntax"
  | "version"
  | "create_only"
  | "file_over_directory"
  | "text_only"
  | "exact_match"
  | "one_change_a_step"
  | "read_only"
  | "size"
  | "quota"
  | "time";

const byCode: Partial<Readonly<Record<ErrorCode, Rule>>> = {
  invalid_path: "path_syntax",
  invalid_pattern: "pattern_syntax",
  invalid_content: "text_only",
  not_text: "text_only",
  already_exists: "create_only",
  conflict: "version",
  not_a_file: "file_over_directory",
  not_a_directory: "file_over_directory",
  no_match: "exact_match",
  ambiguous_match: "exact_match",
  duplicate_mutation: "one_change_a_step",
  read_only: "read_only",
  too_large: "size",
  quota_exceeded: "quota",
  timeout: "time",
};

/** Beside the codes of hango: the caller gave up. */
export const ABORTED = "aborted";

/** The code of an error; what is not hango's own, or of a copy of hango with other codes, is `internal`. */
export function errorType(error: unknown, signal: AbortSignal | undefined): ErrorCode | typeof ABORTED {
  if (isHangoError(error)) return Object.hasOwn(errorTable, error.code) ? error.code : "internal";
  return signal?.aborted === true ? ABORTED : "internal";
}

/** Undefined where no rule spoke: what is missing, or a store that did not answer. */
export function ruleOf(code: string, path: string | undefined): Rule | undefined {
  if (code !== "forbidden") return byCode[code as ErrorCode];
  if (path === undefined) return undefined;
  const { kind } = placeOf(toFilePath(path));
  return kind === "machine" ? "machine_path" : kind === "reserved" ? "reserved_path" : "actor_or_permission";
}
