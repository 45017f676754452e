/** Who sees and who may change what: the table of the specification, written down a second time. */
import type { Door } from "./operation.ts";
import { ONE, TWO } from "./paths.ts";
import { allFiles, asciiLower, type Tree, type View } from "./tree.ts";

export type Actor = "agent" | "operator" | "system";

export interface Identity {
  /** Undefined for the storage itself, which has no guard. */
  readonly actor: Actor | undefined;
  readonly sessionId: string | undefined;
}

export const identities: Readonly<Record<Door, Identity>> = {
  owner: { actor: undefined, sessionId: undefined },
  other: { actor: undefined, sessionId: undefined },
  one: { actor: "agent", sessionId: ONE },
  two: { actor: "agent", sessionId: TWO },
  operator: { actor: "operator", sessionId: ONE },
  visitor: { actor: "operator", sessionId: undefined },
  system: { actor: "system", sessionId: ONE },
};

type Place = "ordinary" | "reserved" | "reserved spelling" | "own machine" | "machine";

function placeOf(path: string, sessionId: string | undefined): Place {
  const [first = "", ...rest] = path.split("/");
  const lowered = asciiLower(first);
  if (lowered === "memories" || lowered === "skills") return first === lowered && rest.length > 0 ? "reserved" : "reserved spelling";
  if (lowered !== "large_tool_results" && lowered !== "conversation_history") return "ordinary";
  if (first !== lowered || sessionId === undefined) return "machine";
  const isOwn = first === "large_tool_results" ? rest.length > 1 && rest[0] === sessionId : rest.length === 1 && rest[0] === `${sessionId}.md`;
  return isOwn ? "own machine" : "machine";
}

export function sees(door: Door, path: string): boolean {
  const { actor, sessionId } = identities[door];
  if (actor === undefined) return true;
  const place = placeOf(path, sessionId);
  if (place === "machine") return false;
  return actor === "system" ? place === "own machine" : true;
}

/** What a door sees of a tree, in byte order. */
export function viewOf(tree: Tree, door: Door): View {
  const files = allFiles(tree);
  return identities[door].actor === undefined ? files : files.filter(({ path }) => sees(door, path));
}

/** "noted" is allowed by the session's policy, and leaves a row of its own when it fails. */
export function mayChange(door: Door, path: string): "yes" | "noted" | "no" {
  const { actor, sessionId } = identities[door];
  if (actor === undefined) return "yes";
  switch (placeOf(path, sessionId)) {
    case "ordinary":
      return actor === "agent" ? "yes" : "no";
    case "reserved":
      return actor === "operator" ? "yes" : actor === "agent" && door === "two" ? "noted" : "no";
    case "own machine":
      return actor === "system" ? "yes" : "no";
    case "reserved spelling":
    case "machine":
      return "no";
  }
}
