import { HangoError, isHangoError, shownPath } from "../errors.ts";
import { ancestorsOf } from "../path/path.ts";
import type { Shown } from "./shift.ts";

/** Runs a call of the storage below. Errors: its own, which name the layer's paths, so that a reader can use them. */
export async function shiftingErrors<T>(shown: Shown, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw isHangoError(error) ? shiftError(error, shown) : error;
  }
}

/** The same error in the words of the layer: `path`, `details.paths` and the paths that its message names. */
export function shiftError(error: HangoError, shown: Shown): HangoError {
  const { code, details, message, op, path } = error;
  const paths = Array.isArray(details?.["paths"]) ? (details["paths"] as readonly unknown[]).filter((one) => typeof one === "string") : [];
  const named = new Set([...paths, ...(path === undefined ? [] : [path])]);
  // Only this refusal also names what stands above its path.
  if (code === "not_a_directory" && path !== undefined) for (const ancestor of ancestorsOf(path.slice(1))) named.add(shownPath(ancestor));
  const shift = (one: string): string => shownPath(shown(one.slice(1)));
  return new HangoError(code, shiftMessage(message, [...named], shift), {
    ...(op === undefined ? {} : { op }),
    ...(path === undefined ? {} : { path: shift(path) }),
    ...(details === undefined ? {} : { details: paths.length === 0 ? details : { ...details, paths: paths.map(shift) } }),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
  });
}

/** In one pass, the longest name first, so that nothing is replaced twice and "/a" is not found in "/a/b". */
function shiftMessage(message: string, paths: readonly string[], shift: (path: string) => string): string {
  const names = paths.toSorted((a, b) => b.length - a.length);
  let made = "";
  for (let at = 0; at < message.length;) {
    const name = at === 0 || /[\s"'(]/.test(message.charAt(at - 1)) ? names.find((one) => message.startsWith(one, at)) : undefined;
    made += name === undefined ? message.charAt(at) : shift(name);
    at += name?.length ?? 1;
  }
  return made;
}
