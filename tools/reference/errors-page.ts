/** docs/reference/errors.md, from the one table of errors and the command's exit codes. */
import { exitCodeOf } from "../../packages/cli/src/exit-codes.ts";
import { errorTable, type ErrorCode } from "../../packages/hango/src/errors.ts";
import { markdownTable } from "../markdown-table.ts";

/** When each is answered; a code without a line does not compile. */
const WHEN: Readonly<Record<ErrorCode, string>> = {
  invalid_path: "a path breaks a rule; the message names the rule",
  invalid_argument: "an argument or option is missing, unknown or out of its range; `old_string` or a pattern is empty",
  invalid_content: "text to write has a NUL or half a character",
  invalid_pattern: "a glob or a grep pattern is outside the grammar or over a limit; the message quotes it",
  not_found: "there is no such file, directory or root of a search, or none that this session may see",
  already_exists: "a file is to be created and is there; or `write_file` over a file that the session has not read",
  not_a_file: "a directory is read, written or deleted as a file",
  not_a_directory: "a file is listed, or something is to be written below one",
  not_text: "a text operation meets a binary file",
  conflict: "the file changed, or was deleted, since the version given; `details.currentVersion` has the present one, if any",
  no_match: "the text to replace is not in the file",
  ambiguous_match: "the text to replace is there more than once; `details.count` says how often",
  duplicate_mutation: "the same path is changed twice in one batch of tool calls",
  read_only: "the storage takes no changes: a corpus, a read-only mount or view",
  forbidden: "the actor may not do this here: reserved prefixes, machine paths, a rule of the policy",
  too_large: "content is over `maxFileBytes`, or more than the directory or the database can take",
  quota_exceeded: "the agent's or the tenant's quota of files or bytes is used up; the message names limit and use",
  unsupported: "the storage or the database can't do this at all",
  timeout: "the call ran into its limit of time or work",
  unavailable:
    "the store can't be reached, is in use or did not answer; after a lost answer to a write the outcome is unknown, and the message says to read again",
  internal: "a fault of hango or of the code around it; `cause` has it, the message never does",
};

export function errorsPage(): string {
  const codes = Object.keys(errorTable) as ErrorCode[];
  return `# Errors

Made from \`errors.ts\` by \`node tools/reference-docs.ts\`.

Everything that fails throws one \`HangoError\`: \`code\` (the closed set below), \`message\` (what happened, which rule, what to do next), \`op\`, \`path\` (always absolute), \`details\`, and \`cause\`, which holds foreign errors and is never shown to a model or a client. \`isHangoError(error, code?)\` narrows, also for an error of another copy of the library.

A tool never throws: its result has \`isError\`, \`code\`, and the text \`Error (code): message hint\`. The files API answers \`application/problem+json\` with the status. An abort is no error of this table: it throws \`signal.reason\`.

${markdownTable(
  ["code", "when", "HTTP", "exit code", "what a model is told to do"],
  codes.map((code) => [
    `\`${code}\``,
    WHEN[code],
    String(errorTable[code].status),
    String(exitCodeOf(code)),
    errorTable[code].hint === "" ? "the message says it" : errorTable[code].hint,
  ]),
)}
The same call may succeed later, without any change by the caller: ${codes
    .filter((code) => errorTable[code].retryable)
    .map((code) => `\`${code}\``)
    .join(", ")}.

Over HTTP a precondition has two statuses more: 428 where a request names no version and has to, and 412 with the present \`ETag\` where the version named is not the file's.
`;
}
