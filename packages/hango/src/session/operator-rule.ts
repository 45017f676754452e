import { shownPath } from "../errors.ts";
import { changeVerdict } from "../layers/guard/actors.ts";
import type { FilePath } from "../storage.ts";

/** Why the guard refuses any change by an operator at a path (storage form), for a door that says so before someone tries; undefined where an operator may write. */
export function whyNoOperator(path: string): string | undefined {
  const verdict = changeVerdict(path as FilePath, { actor: "operator", sessionId: undefined, reservedWrites: "refuse" }, shownPath(path));
  return verdict.kind === "refuse" ? verdict.why : undefined;
}
