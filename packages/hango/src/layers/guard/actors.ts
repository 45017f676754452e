/** The table of who may do what where. Pure: a path and an actor in, a verdict out. */
import { placeOf, sessionFilter, systemFilter } from "../../path/reserved.ts";
import type { FilePath, Origin, PathFilter } from "../../storage.ts";

export interface Who {
  readonly actor: Origin["actor"];
  readonly sessionId: string | undefined;
  readonly reservedWrites: "refuse" | "ask" | "allow";
}

/** `why` completes the refusal; `note` is what the record keeps of a reserved write that the policy let through and that failed. */
export type Verdict =
  | { readonly kind: "allow"; readonly note?: string }
  | { readonly kind: "ask"; readonly why: string; readonly note?: string }
  | { readonly kind: "refuse"; readonly why: string };

const ALLOW: Verdict = { kind: "allow" };

/** What the actor sees. Source: another session's machine paths do not exist; the system sees only its own session's. */
export function visibility(who: Who): PathFilter {
  return who.actor === "system" && who.sessionId !== undefined ? systemFilter(who.sessionId) : sessionFilter(who.sessionId);
}

/** May this actor write or delete here? The answer never depends on what is there; `shown` is the path that it names. */
export function changeVerdict(path: FilePath, who: Who, shown: string): Verdict {
  const place = placeOf(path);
  if (place.kind === "machine") {
    const own = place.sessionId !== undefined && place.sessionId === who.sessionId;
    if (who.actor === "system" && own) return ALLOW;
    return refuse(`${shown} can't be changed: /${place.name} is written only by the system, for its own session. Write your file to another place.`);
  }
  if (who.actor === "system")
    return refuse(`${shown} can't be changed by the system: it writes only its own session's large_tool_results and conversation_history.`);
  if (place.kind === "ordinary") {
    if (who.actor === "agent") return ALLOW;
    return refuse(`${shown} can't be changed by an operator, who writes only below /memories/ and /skills/; the other files are the agent's.`);
  }
  if (who.actor === "agent" && who.reservedWrites === "refuse") return refuse(agentMayNot(shown));
  // No policy opens another spelling: on a disk without case it would be the same file, and prompts read only this one.
  if (!place.exact)
    return refuse(
      `${shown} can't be changed: /${place.name} is a reserved directory, and this is its bare name or another spelling of it. Write below /${place.name}/.`,
    );
  if (who.actor === "operator") return ALLOW;
  if (who.reservedWrites === "allow") return { kind: "allow", note: "reserved path: allowed by policy" };
  return {
    kind: "ask",
    why: `${shown} is reserved: a change below /${place.name}/ needs a person's approval`,
    note: "reserved path: approved by a person",
  };
}

function agentMayNot(shown: string): string {
  return `${shown} can't be changed by the agent: /memories/ and /skills/ are reserved, because they are read into later prompts. Write to another place, or ask the user to make the change.`;
}

function refuse(why: string): Verdict {
  return { kind: "refuse", why };
}
