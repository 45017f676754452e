/** What the command's end says to a script. */
import type { ErrorCode } from "hango";

type End = "ok" | "failed" | "usage" | "notFound" | "conflict" | "unavailable" | "interrupted";

/** One number, one kind of end; the help and docs/cli.md are made from this. */
export const exitCodes: Readonly<Record<End, { readonly code: number; readonly meaning: string }>> = {
  ok: { code: 0, meaning: "done" },
  failed: { code: 1, meaning: "failed; also grep without a match, and doctor when something is bad" },
  usage: { code: 2, meaning: "wrong usage: an option, an argument, a path or a pattern that can't be" },
  notFound: { code: 3, meaning: "the file, the directory or the database does not exist" },
  conflict: { code: 4, meaning: "the file changed, exists already, or is not as the command expects it; nothing was written" },
  unavailable: { code: 5, meaning: "the database can't be reached, is in use or is not migrated, or the call took too long" },
  interrupted: { code: 130, meaning: "stopped with Ctrl-C" },
};

const ends: Readonly<Record<ErrorCode, End>> = {
  invalid_path: "usage",
  invalid_argument: "usage",
  invalid_pattern: "usage",
  invalid_content: "failed",
  not_found: "notFound",
  already_exists: "conflict",
  conflict: "conflict",
  no_match: "conflict",
  ambiguous_match: "conflict",
  duplicate_mutation: "conflict",
  not_a_file: "failed",
  not_a_directory: "failed",
  not_text: "failed",
  read_only: "failed",
  forbidden: "failed",
  too_large: "failed",
  quota_exceeded: "failed",
  unsupported: "failed",
  timeout: "unavailable",
  unavailable: "unavailable",
  internal: "failed",
};

/** The exit code of an error of the library's. */
export function exitCodeOf(code: ErrorCode): number {
  return exitCodes[ends[code]].code;
}

/** For the help and the documentation: number and meaning. */
export function exitCodeRows(): readonly (readonly [code: number, meaning: string])[] {
  return Object.values(exitCodes).map(({ code, meaning }) => [code, meaning] as const);
}
