/** What a person may do with a file, as data, so that no page copies the rule. The rule is the guard's own; a door adds only the role. */
import { HangoError, shownPath } from "../errors.ts";
import { whyNoOperator } from "../session/operator-rule.ts";
import type { Principal } from "../tenancy.ts";
import { isManager } from "./door.ts";

export interface Can {
  readonly edit: boolean;
  /** Why not. */
  readonly why?: string;
}

const MEMBER = "Your key is a member's. Owners and admins may edit below /memories/ and /skills/.";

/** May this person write or delete the file? Storage form. It depends on the path and the role alone, never on what is there. */
export function canEdit(principal: Principal, path: string): Can {
  const why = whyNoOperator(path) ?? (isManager(principal) ? undefined : MEMBER);
  return why === undefined ? { edit: true } : { edit: false, why };
}

/** Errors: forbidden for a member, whatever the path. */
export function requireManager(principal: Principal): void {
  if (!isManager(principal)) throw new HangoError("forbidden", MEMBER);
}

/** Errors: forbidden, with the reason. */
export function requireEdit(principal: Principal, path: string): void {
  const { why } = canEdit(principal, path);
  if (why !== undefined) throw new HangoError("forbidden", why, { path: shownPath(path) });
}
