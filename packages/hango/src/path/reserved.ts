/** The four names with rules of their own. Compared byte for byte and also without case, so that no spelling slips past on any disk. */
import type { FilePath, PathFilter } from "../storage.ts";
import { startsWithAnyCase } from "./filter.ts";

/** Read by prompts; an agent may not write there unless a policy says so. */
export const RESERVED: readonly string[] = ["memories", "skills"];

/** Written by the system only, each session its own. */
export const MACHINE: readonly string[] = ["large_tool_results", "conversation_history"];

export type Place =
  | { readonly kind: "ordinary" }
  | { readonly kind: "reserved"; readonly name: string; readonly exact: boolean }
  | { readonly kind: "machine"; readonly name: string; readonly exact: boolean; readonly sessionId?: string };

/**
 * Says what rules a path (storage form) stands under. `name` is the reserved name, in its own spelling; `exact` is false
 * for another case spelling and for the bare name. `sessionId` is there only for a path that session owns, as written.
 */
export function placeOf(path: string): Place {
  const slash = path.indexOf("/");
  const first = slash < 0 ? path : path.slice(0, slash);
  const named = (name: string): boolean => first.length === name.length && startsWithAnyCase(first, name);
  const reserved = RESERVED.find(named);
  if (reserved !== undefined) return { kind: "reserved", name: reserved, exact: slash >= 0 && first === reserved };
  const machine = MACHINE.find(named);
  if (machine === undefined) return { kind: "ordinary" };
  const exact = slash >= 0 && first === machine;
  const sessionId = exact ? ownerOf(machine, path.slice(slash + 1)) : undefined;
  return { kind: "machine", name: machine, exact, ...(sessionId === undefined ? {} : { sessionId }) };
}

function ownerOf(machine: string, rest: string): string | undefined {
  const slash = rest.indexOf("/");
  if (machine === "large_tool_results") return slash > 0 && slash < rest.length - 1 ? rest.slice(0, slash) : undefined;
  return slash < 0 && rest.length > 3 && rest.endsWith(".md") ? rest.slice(0, -3) : undefined;
}

/** Where a session's large results go. */
export function offloadDirectory(sessionId: string): FilePath {
  return `large_tool_results/${sessionId}` as FilePath;
}

/** Where a session's conversation is kept. */
export function historyPath(sessionId: string): FilePath {
  return `conversation_history/${sessionId}.md` as FilePath;
}

/** The machine paths that are a session's own, as entries of a filter. */
export function ownPaths(sessionId: string | undefined): readonly string[] {
  return sessionId === undefined ? [] : [`${offloadDirectory(sessionId)}/`, historyPath(sessionId)];
}

/** What an agent or operator sees: all but machine paths, and of those its session's own. */
export function sessionFilter(sessionId: string | undefined): PathFilter {
  return { hide: [], hideAnyCase: MACHINE.flatMap((name) => [name, `${name}/`]), show: ownPaths(sessionId) };
}

/** What the system sees: the machine paths of its session and nothing else. */
export function systemFilter(sessionId: string): PathFilter {
  return { hide: ["/"], show: ownPaths(sessionId) };
}
