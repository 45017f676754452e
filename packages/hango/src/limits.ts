/** Every bound has its name here. Environment values are read once; a bad one stops at start. */
import { checkOptionNames, HangoError } from "./errors.ts";

export interface Limits {
  /** Bytes a write or edit may leave. HANGO_FS_MAX_FILE_BYTES. */
  readonly maxFileBytes: number;
  /** Segments of a path; may only lower the built-in 32; under 3, the depth of the system's own paths, no result can be stored. HANGO_FS_MAX_PATH_DEPTH. */
  readonly maxPathDepth: number;
  readonly maxReadLines: number;
  /** Code points of one line that read shows before it clips. */
  readonly maxLineChars: number;
  /** Matches of grep, paths of glob, answers of search; of ls only the tool's entries, the operation takes a limit of its own. */
  readonly maxMatches: number;
  /**
   * Tokens of one tool result before it goes to a file. A preview takes up to 1,000 characters (about 250 tokens of English), and a result that its
   * preview would not make smaller stays as it is, so a lower limit saves little; under 40 the file tools have no room to say how to go on. HANGO_TOOL_RESULT_TOKEN_LIMIT.
   */
  readonly toolResultTokens: number;
  /** Bytes of one stored tool result. HANGO_FS_MAX_OFFLOAD_BYTES. */
  readonly maxOffloadBytes: number;
}

export const MAX_PATH_BYTES = 512;
export const MAX_SEGMENT_BYTES = 255;
export const MAX_PATH_SEGMENTS = 32;
export const MAX_VERSION_CHARS = 128;
export const MAX_CONTENT_TYPE_CHARS = 255;

export const MAX_GLOB_BYTES = 512;
export const MAX_GLOB_ALTERNATIVES = 64;
export const MAX_GLOB_NESTING = 4;

export const MAX_PATTERN_CHARS = 200;
export const MAX_PATTERN_BOUND = 255;
export const MAX_PATTERN_SIZE = 500;
export const MAX_BOUNDARY_CHAIN = 8;
export const MAX_QUANTIFIER_NESTING = 4;
export const MAX_GROUP_NESTING = 20;
export const MAX_LITERAL_BYTES = 4096;
/** Units of work of the pattern machine: between two pauses, and in all before it answers timeout. */
export const MATCH_SLICE_WORK = 500_000;
export const MATCH_TOTAL_WORK = 200_000_000;
export const MAX_DFA_STATES = 2_000;
/** Milliseconds before a grep answers timeout. Our own machine gets a tenth of a second more for each MiB it goes through, because it is slower than a database. */
export const GREP_TIMEOUT_MS = 2_000;

/** Code points of a grep line before it is shown as a window, and how many stand before the match in it. */
export const GREP_LINE_CHARS = 500;
export const GREP_WINDOW_LEAD = 100;
export const MAX_GREP_CONTEXT = 20;
/** Names in `skipped`. */
export const MAX_SKIPPED = 100;

/** Mutations of one apply, and so files of one recursive delete. */
export const MAX_MUTATIONS = 50_000;
/** Storages of one mount. */
export const MAX_MOUNTS = 1_000;
/** Files and bytes of one embedded storage that is read from a file system. */
export const MAX_EMBEDDED_FILES = 100_000;
export const MAX_EMBEDDED_BYTES: number = 512 * 1024 * 1024;
/** Rows a derived form asks of list at a time. */
export const LIST_PAGE = 1_000;

export const PREVIEW_LINES = 5;
export const MAX_PREVIEW_CHARS = 1_000;
export const MAX_SEEN_PATHS = 10_000;
export const MAX_SEEN_TEXT_BYTES: number = 64 * 1024;
export const MAX_SEEN_TOTAL_BYTES: number = 1024 * 1024;
export const MAX_REMEMBERED_BATCHES = 64;
export const MAX_DIFF_EDITS = 2_000;
export const DIFF_TIMEOUT_MS = 500;

const defaults: Limits = {
  maxFileBytes: 1024 * 1024,
  maxPathDepth: MAX_PATH_SEGMENTS,
  maxReadLines: 2_000,
  maxLineChars: 5_000,
  maxMatches: 1_000,
  toolResultTokens: 20_000,
  maxOffloadBytes: 16 * 1024 * 1024,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The greatest whole number that a limit may be. */
function mostOf(name: keyof Limits): number {
  return name === "maxPathDepth" ? MAX_PATH_SEGMENTS : Number.MAX_SAFE_INTEGER;
}

function fromEnvironment(environment: Environment, name: string, limit: keyof Limits): number {
  const fallback = defaults[limit];
  const most = mostOf(limit);
  const given = environment[name];
  if (given === undefined || given === "") return fallback;
  const value = Number(given);
  if (!/^[0-9]+$/.test(given) || value < 1 || value > most)
    throw new HangoError(
      "invalid_argument",
      `${name}=${JSON.stringify(given)} must be a whole number from 1 to ${most}. Correct it or unset it (default ${fallback}).`,
    );
  return value;
}

/** Reads the limits that the environment may set. Errors: invalid_argument names the variable and the rule. */
export function limitsFrom(environment: Environment): Limits {
  return {
    ...defaults,
    maxFileBytes: fromEnvironment(environment, "HANGO_FS_MAX_FILE_BYTES", "maxFileBytes"),
    maxPathDepth: fromEnvironment(environment, "HANGO_FS_MAX_PATH_DEPTH", "maxPathDepth"),
    toolResultTokens: fromEnvironment(environment, "HANGO_TOOL_RESULT_TOKEN_LIMIT", "toolResultTokens"),
    maxOffloadBytes: fromEnvironment(environment, "HANGO_FS_MAX_OFFLOAD_BYTES", "maxOffloadBytes"),
  };
}

/** The process's own limits, read when the library loads. `globalThis.process` is absent in a browser. */
export const processLimits: Limits = limitsFrom((globalThis as { process?: { env?: Environment } }).process?.env ?? {});

/** Fills what is not given. Errors: invalid_argument for a value that is not a whole number over 0, or a depth under 3 or over the built-in 32. */
export function resolveLimits(given: Partial<Limits> = {}): Limits {
  checkOptionNames("limits", given, Object.keys(defaults));
  const limits: Record<keyof Limits, number> = { ...processLimits };
  for (const name of Object.keys(defaults) as (keyof Limits)[]) {
    const value = given[name];
    if (value === undefined) continue;
    const most = mostOf(name);
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new HangoError("invalid_argument", `limits.${name} is ${value}; it must be a whole number from 1 to ${most}.`);
    limits[name] = value;
  }
  return limits;
}
