import { HangoError } from "../errors.ts";

/** Refuses two tools of one name, because a model could only ever call one of them. Errors: invalid_argument. */
export function refuseTwins(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new HangoError(
      "invalid_argument",
      `Two tools are named ${JSON.stringify(twice)}. Rename one; if it is a file tool, it can be left out of the session's tools.`,
    );
}
