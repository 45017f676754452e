/** What the operating system answers, in the words of the contract. */
import { HangoError, isHangoError, shownPath, type ErrorCode } from "../../errors.ts";

/** Reads the code of an operating system's error: "ENOENT". */
export function osCode(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** True when nothing is there, or something on the way to it is not a directory. */
export function isMissing(error: unknown): boolean {
  const code = osCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** True when what was looked up is no longer what it was: a link or a file stands where a directory was. */
export function isSwapped(error: unknown): boolean {
  const code = osCode(error);
  return code === "ENOTDIR" || code === "ELOOP" || code === "EMLINK";
}

/** True when this process may not. */
export function isDenied(error: unknown): boolean {
  const code = osCode(error);
  return code === "EACCES" || code === "EPERM";
}

const known: ReadonlyMap<string, readonly [ErrorCode, string]> = new Map([
  ["EACCES", ["forbidden", "the operating system does not allow it to this process"]],
  ["EPERM", ["forbidden", "the operating system does not allow it to this process"]],
  ["EROFS", ["read_only", "the disk is mounted read-only"]],
  ["ENOSPC", ["quota_exceeded", "the disk is full"]],
  ["EDQUOT", ["quota_exceeded", "the disk quota is used up"]],
  ["EFBIG", ["too_large", "the disk does not take a file of this size"]],
  ["ENAMETOOLONG", ["invalid_path", "a name in it is too long for this disk"]],
  ["EILSEQ", ["invalid_path", "a name in it holds a character that this disk does not take"]],
  ["EMFILE", ["unavailable", "this process has too many files open"]],
  ["ENFILE", ["unavailable", "this machine has too many files open"]],
  ["EBUSY", ["unavailable", "the operating system holds it busy"]],
]);

/** The error as the contract words it; what it does not know stays as it is and becomes `internal` at the door. */
export function translated(error: unknown, op: string, path: string): unknown {
  const code = osCode(error);
  const row = code === undefined || isHangoError(error) ? undefined : known.get(code);
  if (row === undefined) return error;
  const shown = shownPath(path);
  return new HangoError(row[0], `Could not ${op} ${shown}: ${row[1]}.`, { op, path: shown, cause: error });
}

/** Something that is neither a file nor a directory: a pipe, a socket, a device. */
export function notRegular(path: string): HangoError {
  const shown = shownPath(path);
  return new HangoError("not_a_file", `${shown} is not a regular file (a pipe, a socket or a device); those are never opened.`, { path: shown });
}

/** A link that does not stay inside. */
export function leadsOutside(path: string): HangoError {
  const shown = shownPath(path);
  return new HangoError("forbidden", `${shown} is a link that leads outside this directory, or on it stands one; such links are never followed.`, {
    path: shown,
  });
}

/** A change of a link, or through one. */
export function throughLink(path: string, link: string): HangoError {
  const shown = shownPath(path);
  const what = path === link ? `${shown} is a link` : `${shownPath(link)} is a link, and ${shown} stands behind it`;
  return new HangoError("forbidden", `${what}; links are read, never changed or written through. Use the path that it leads to.`, { path: shown });
}

/** A change of .git or of an unfinished write. */
export function hiddenName(path: string, name: string): HangoError {
  const shown = shownPath(path);
  return new HangoError("forbidden", `${shown} can't be written: a directory's ${JSON.stringify(name)} is never listed, read or written. Use another name.`, {
    path: shown,
  });
}

/** Another process moves things faster than a call can follow. */
export function neverStill(op: string, path: string): HangoError {
  const shown = shownPath(path);
  return new HangoError("unavailable", `Could not ${op} ${shown}: another process keeps moving what stands there; retry in a moment.`, { op, path: shown });
}
