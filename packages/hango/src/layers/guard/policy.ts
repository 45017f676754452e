import { HangoError } from "../../errors.ts";
import { entriesFor } from "../../path/filter.ts";
import { parseAgentPath } from "../../path/path.ts";
import type { FilePath, PathFilter } from "../../storage.ts";

export type Operation = "read" | "write";

/** One rule over paths, not patterns: "/src/" is everything below, "/a.md" the path itself, "/" everything. The first rule that matches decides. */
export interface Permission {
  readonly operations: readonly Operation[];
  readonly paths: readonly string[];
  readonly mode: "allow" | "deny" | "ask";
}

export interface ApprovalRequest {
  /** "read", "write" or "delete". */
  readonly operation: string;
  readonly path: string;
  /** A unified diff of what the change would do; empty for a read. */
  readonly diff: string;
}

/** What a session's owner decides beyond the fixed table of actors. */
export interface Policy {
  /** Writes by the agent below /memories/ and /skills/. Default refuse; anything else is recorded. */
  readonly reservedWrites?: "refuse" | "ask" | "allow";
  readonly permissions?: readonly Permission[];
  /** Asks a person; only `true` is a yes. Without it, "ask" refuses. */
  readonly approve?: (request: ApprovalRequest) => Promise<boolean>;
}

interface Rule {
  readonly operations: ReadonlySet<Operation>;
  readonly entries: readonly string[];
  readonly mode: Permission["mode"];
}

export interface Permissions {
  readonly mode: (operation: Operation, path: FilePath) => Permission["mode"];
  /** What listings leave out: paths whose reading is denied. `shown` are never left out. */
  readonly listing: (shown: readonly string[]) => readonly PathFilter[];
  /** What searches through content leave out as well: paths that need a person's approval to be read. */
  readonly content: (shown: readonly string[]) => readonly PathFilter[];
  /** The paths of the rules that make reading ask, as given. */
  readonly askedReads: readonly string[];
}

/** Parses the rules of a policy. Errors: invalid_argument, invalid_path for a rule that could never mean what it says. */
export function parsePermissions(given: readonly Permission[] = []): Permissions {
  if (!Array.isArray(given)) throw new HangoError("invalid_argument", "policy.permissions must be a list of rules.");
  const rules = given.map(parseRule);
  const reads = rules.filter((rule) => rule.operations.has("read"));
  const modes = { read: modeBy(reads), write: modeBy(rules.filter((rule) => rule.operations.has("write"))) };
  return {
    mode: (operation, path) => modes[operation](path),
    listing: (shown) => filtersOf(reads, ["deny"], shown),
    content: (shown) => filtersOf(reads, ["deny", "ask"], shown),
    askedReads: reads.filter(({ mode }) => mode === "ask").flatMap(({ entries }) => entries),
  };
}

/** The mode of the first rule that matches. A path is looked up, never compared with each entry: there may be thousands. */
function modeBy(rules: readonly Rule[]): (path: FilePath) => Permission["mode"] {
  const firstRule = new Map<string, number>();
  for (const [index, { entries }] of rules.entries()) for (const entry of entries) if (!firstRule.has(entry)) firstRule.set(entry, index);
  return (path) => {
    if (firstRule.size === 0) return "allow";
    const first = Math.min(...entriesFor(path).map((entry) => firstRule.get(entry) ?? rules.length));
    return rules[first]?.mode ?? "allow";
  };
}

/** One filter for each run of rules that hide: an earlier rule that lets a path through wins, so it is an exception to those after it. Frozen, so that isShown looks a path up. */
function filtersOf(rules: readonly Rule[], modes: readonly Permission["mode"][], shown: readonly string[]): readonly PathFilter[] {
  const filters: { readonly hide: string[]; readonly show: readonly string[] }[] = [];
  const exceptions = [...shown];
  let follows = false;
  for (const { entries, mode } of rules) {
    const hides = modes.includes(mode);
    if (hides && !follows) filters.push({ hide: [], show: Object.freeze([...exceptions]) });
    follows = hides;
    const list = hides ? filters.at(-1)?.hide : exceptions;
    for (const entry of entries) list?.push(entry);
  }
  for (const { hide } of filters) Object.freeze(hide);
  return filters;
}

function parseRule(rule: Permission, index: number): Rule {
  const refuse = (what: string): never => {
    throw new HangoError("invalid_argument", `policy.permissions[${index}] ${what}`);
  };
  if (!["allow", "deny", "ask"].includes(rule.mode)) refuse(`has the mode ${JSON.stringify(rule.mode)}; it must be allow, deny or ask.`);
  if (!Array.isArray(rule.operations) || rule.operations.length === 0 || !rule.operations.every((operation) => operation === "read" || operation === "write"))
    refuse("must name at least one operation: read, write.");
  if (!Array.isArray(rule.paths) || rule.paths.length === 0) refuse("names no path: paths is a list of at least one.");
  // Taken as a name, a pattern would protect nothing.
  const pattern = rule.paths.find((path) => path.includes("*"));
  if (pattern !== undefined)
    refuse(`has the path ${JSON.stringify(pattern)}, and a rule takes no pattern: "/src/" is everything below /src, "/a.md" that file, "/" everything.`);
  return { operations: new Set(rule.operations), entries: rule.paths.map(parseEntry), mode: rule.mode };
}

/** "/src/" → "src/", "/a.md" → "a.md", "/" → "/". */
function parseEntry(path: string): string {
  const parsed = parseAgentPath(path);
  if (parsed === "/") return "/";
  return path.endsWith("/") ? `${parsed.slice(1)}/` : parsed.slice(1);
}
