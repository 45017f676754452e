import { HangoError, isObject, shownPath } from "../errors.ts";
import { MAX_MUTATIONS } from "../limits.ts";
import { ancestorsOf, parseFilePath } from "../path/path.ts";
import type { Mutation } from "../storage.ts";
import { checkContent, checkContentType, checkIfVersion } from "./check-options.ts";
import { namePaths } from "./refusals.ts";

/**
 * Answers the mutations with parsed paths and copied content, in the order given.
 * Errors: invalid_path; invalid_argument for a path twice, a file made below another file of the same call, or more than MAX_MUTATIONS.
 */
export function checkMutations(mutations: readonly Mutation[]): readonly Mutation[] {
  if (!Array.isArray(mutations)) throw new HangoError("invalid_argument", "apply takes a list of mutations.");
  if (mutations.length > MAX_MUTATIONS)
    throw new HangoError("invalid_argument", `apply takes at most ${MAX_MUTATIONS} mutations; ${mutations.length} were given. Split them.`);
  const checked = (mutations as readonly Mutation[]).map(checkMutation);
  const paths = new Set<string>();
  const twice = new Set<string>();
  for (const { path } of checked) (paths.has(path) ? twice : paths).add(path);
  if (twice.size > 0)
    throw new HangoError("invalid_argument", `apply names ${namePaths([...twice].map(shownPath))} more than once; give one mutation for each path.`, {
      details: { paths: [...twice].map(shownPath) },
    });
  const files = new Set(checked.filter(({ kind }) => kind !== "delete").map(({ path }) => path));
  for (const path of files) {
    const above = ancestorsOf(path).find((ancestor) => files.has(ancestor));
    if (above !== undefined)
      throw new HangoError(
        "invalid_argument",
        `apply would leave ${shownPath(above)} as a file and ${shownPath(path)} below it; a file and a directory never share a name.`,
        { path: shownPath(path) },
      );
  }
  return checked;
}

function checkMutation(mutation: Mutation): Mutation {
  if (!isObject(mutation)) throw new HangoError("invalid_argument", "A mutation is { kind, path, … }.");
  const path = parseFilePath(mutation.path);
  switch (mutation.kind) {
    case "create":
    case "modify":
      checkContent(mutation.bytes);
      if (mutation.kind === "modify") checkIfVersion(mutation.ifVersion, "version");
      return { ...checkContentType(mutation), path, bytes: new Uint8Array(mutation.bytes) };
    case "delete":
      checkIfVersion(mutation.ifVersion, "version");
      return { ...mutation, path };
    default:
      throw new HangoError("invalid_argument", `A mutation's kind is create, modify or delete.`, { path: shownPath(path) });
  }
}
