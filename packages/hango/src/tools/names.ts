import { HangoError } from "../errors.ts";

/** Refuses two tools of one name, because a model could only ever call one of them. Errors: invalid_argument. */
export function refuseTwins(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw new HangoError(
        "invalid_argument",
        `Two tools are named ${JSON.stringify(name)}. Rename one; if it is a file tool, it can be left out of the session's tools.`,
      );
    seen.add(name);
  }
}
