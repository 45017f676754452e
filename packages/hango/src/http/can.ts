/** What a person may do with a file, as data, so that no page copies the rule. The guard enforces it. */
import { HangoError, shownPath } from "../errors.ts";
import { placeOf } from "../path/reserved.ts";
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
  const place = placeOf(path);
  if (place.kind === "machine") return { edit: false, why: "Machine files are written by the system and never edited." };
  if (place.kind === "ordinary") return { edit: false, why: "People correct files below /memories/ and /skills/ only; the other files are the agent's." };
  if (!place.exact)
    return { edit: false, why: `/${place.name} is a reserved directory, and this is its bare name or another spelling of it. Write below /${place.name}/.` };
  return isManager(principal) ? { edit: true } : { edit: false, why: MEMBER };
}

/** Errors: forbidden for a member, whatever the path. */
export function requireManager(principal: Principal): void {
  if (!isManager(principal)) throw new HangoError("forbidden", MEMBER);
}

/** Errors: forbidden, with the reason. */
export function requireEdit(principal: Principal, path: string): void {
  const { edit, why = "" } = canEdit(principal, path);
  if (!edit) throw new HangoError("forbidden", `${shownPath(path)} can't be changed. ${why}`, { path: shownPath(path) });
}
