/** docs/reference/limits.md, from limits.ts. */
import { readFileSync } from "node:fs";
import * as limits from "../../packages/hango/src/limits.ts";
import { markdownTable } from "../markdown-table.ts";

const SETTABLE: Readonly<Record<keyof limits.Limits, string>> = {
  maxFileBytes: "bytes of a file that a write or an edit leaves",
  maxPathDepth: "segments of a path; may only be lowered, and under 3 no result can be stored",
  maxReadLines: "lines of one `read_file`",
  maxLineChars: "code points of a line that `read_file` shows before it clips; `column` goes on",
  maxMatches: "matches of grep, paths of glob, answers of search, entries of the `ls` tool",
  toolResultTokens: "estimated tokens of a tool result before it goes to a file; of every file tool's own answer",
  maxOffloadBytes: "bytes of one stored result; beyond it head and tail are kept",
};

type Constant = Exclude<keyof typeof limits, "limitsFrom" | "processLimits" | "resolveLimits">;

const FIXED: Readonly<Record<Constant, string>> = {
  MAX_PATH_BYTES: "bytes of a path, in UTF-8",
  MAX_SEGMENT_BYTES: "bytes of one name in a path",
  MAX_PATH_SEGMENTS: "names in a path",
  MAX_VERSION_CHARS: "characters of a version, `[A-Za-z0-9._~-]`",
  MAX_CONTENT_TYPE_CHARS: "characters of a content type",
  MAX_GLOB_BYTES: "bytes of a glob",
  MAX_GLOB_ALTERNATIVES: "alternatives of a glob, all braces multiplied",
  MAX_GLOB_NESTING: "braces within braces",
  MAX_PATTERN_CHARS: "code points of a grep pattern",
  MAX_PATTERN_BOUND: "the largest bound, as in `a{255}`",
  MAX_PATTERN_SIZE: "the size of a pattern with its bounds written out",
  MAX_BOUNDARY_CHAIN: "edges in a row: `^ $ \\b \\B` and what may be empty",
  MAX_QUANTIFIER_NESTING: "quantifiers within quantifiers",
  MAX_GROUP_NESTING: "groups within groups",
  MAX_LITERAL_BYTES: "bytes of a literal that grep looks for",
  MATCH_SLICE_WORK: "units of work of the matcher between two pauses for others",
  MATCH_TOTAL_WORK: "units of work of one grep in JavaScript before it answers `timeout`",
  MAX_DFA_STATES: "states that the matcher keeps before it starts over",
  GREP_TIMEOUT_MS: "milliseconds of one grep; in JavaScript a tenth of a second more for each MiB",
  GREP_LINE_CHARS: "code points of a line of grep before only a window of it is shown",
  GREP_WINDOW_LEAD: "code points before the match in that window",
  MAX_GREP_CONTEXT: "lines of context on each side of a match",
  MAX_SKIPPED: "files that a search names as skipped",
  MAX_MUTATIONS: "changes of one `apply`, and so files of one recursive delete",
  MAX_MOUNTS: "storages of one mount",
  MAX_EMBEDDED_FILES: "files of one embedded storage that is read from a file system",
  MAX_EMBEDDED_BYTES: "their bytes",
  LIST_PAGE: "rows asked for at a time where an operation is derived from `list`",
  PREVIEW_LINES: "lines of the head, and of the tail, of a preview",
  MAX_PREVIEW_CHARS: "characters of a preview: it stays below",
  MAX_SEEN_PATHS: "paths whose last seen version a session keeps in memory",
  MAX_SEEN_TEXT_BYTES: "bytes of a file whose text is kept for the diff of a conflict",
  MAX_SEEN_TOTAL_BYTES: "bytes of all such texts of a session",
  MAX_REMEMBERED_BATCHES: "batches of tool calls whose changed paths are remembered",
  MAX_DIFF_EDITS: "edits that a diff looks for before it gives up",
  DIFF_TIMEOUT_MS: "milliseconds that it looks",
};

const values: ReadonlyMap<string, unknown> = new Map(Object.entries(limits));

const SOURCE: string = readFileSync(new URL("../../packages/hango/src/limits.ts", import.meta.url), "utf8");

/** The variables that limits.ts reads, each with the limit it sets: found by setting it. */
export function limitVariables(): ReadonlyMap<string, keyof limits.Limits> {
  const names = new Set(SOURCE.match(/\bHANGO_[A-Z_]+\b/g));
  const plain = limits.limitsFrom({});
  const set = (variable: string): (keyof limits.Limits)[] => {
    const changed = limits.limitsFrom({ [variable]: "7" });
    return (Object.keys(plain) as (keyof limits.Limits)[]).filter((name) => changed[name] !== plain[name]);
  };
  return new Map([...names].flatMap((variable) => set(variable).map((name) => [variable, name] as const)));
}

export function limitsPage(): string {
  const variables = new Map([...limitVariables()].map(([variable, name]) => [name, variable]));
  const defaults = limits.limitsFrom({});
  const settable = (Object.keys(SETTABLE) as (keyof limits.Limits)[]).map((name) => {
    const variable = variables.get(name);
    return [`\`${name}\``, variable === undefined ? "" : `\`${variable}\``, String(defaults[name]), SETTABLE[name]];
  });
  return `# Limits

Made from \`limits.ts\` by \`node tools/reference-docs.ts\`. What an environment variable sets is read once, when the library loads; a bad value stops the process.

## Limits that you may set

By \`limits\` of \`openSession\` and \`createFileSystem\`, or for the whole process by a variable.

${markdownTable(["limit", "variable", "default", "bounds"], settable)}
Tokens are bytes / 4 unless \`openSession({ estimator })\` brings another estimator.

## Limits that stay as they are

${markdownTable(
  ["name", "value", "bounds"],
  (Object.entries(FIXED) as [Constant, string][]).map(([name, bounds]) => [`\`${name}\``, String(values.get(name)), bounds]),
)}`;
}
