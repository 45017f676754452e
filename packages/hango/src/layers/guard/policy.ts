import { HangoError } from "../../errors.ts";
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
  const filters = (modes: readonly Permission["mode"][], shown: readonly string[]): readonly PathFilter[] =>
    reads.flatMap((rule, index) => {
      if (!modes.includes(rule.mode)) return [];
      // An earlier rule that lets the path through wins, so it is an exception to this one.
      const earlier = reads.slice(0, index).filter(({ mode }) => !modes.includes(mode));
      return [{ hide: rule.entries, show: [...shown, ...earlier.flatMap(({ entries }) => entries)] }];
    });
  return {
    mode: (operation, path) => rules.find((rule) => rule.operations.has(operation) && rule.entries.some((entry) => covers(entry, path)))?.mode ?? "allow",
    listing: (shown) => filters(["deny"], shown),
    content: (shown) => filters(["deny", "ask"], shown),
    askedReads: reads.filter(({ mode }) => mode === "ask").flatMap(({ entries }) => entries),
  };
}

function covers(entry: string, path: string): boolean {
  if (entry === "/") return true;
  return entry.endsWith("/") ? path.startsWith(entry) : path === entry;
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
