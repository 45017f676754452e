/** A namespace's files as a person at a terminal has them: read as the operator, changed by the owner's own hand. */
import { type FileSystem, HangoError, type Limits, type Session, createFileSystem, isHangoError, openSession, parseAgentPath, placeOf } from "hango";
import type { Store } from "./store.ts";

/** Most lines, matches or paths that one command shows. */
export const MAX_SHOWN = 100_000;
/** As many as a stored file can have: whoever asks for a line at a terminal wants the whole of it. */
const WHOLE = 16 * 1024 * 1024;

const limits: Partial<Limits> = { maxMatches: MAX_SHOWN, maxReadLines: WHOLE, maxLineChars: WHOLE };

/** Reading, under the rules of an operator: machine files only of the session that was named. */
export function readSession({ storage, sessionId }: Store): Session {
  return openSession({ storage, actor: "operator", limits, ...(sessionId === undefined ? {} : { sessionId }) });
}

/** Changing, without a guard. */
export function ownFiles({ storage }: Store): FileSystem {
  return createFileSystem(storage);
}

/** An absolute path; a person may leave the first slash out. */
export function absolute(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

/** The path of a file to write. Errors: forbidden where nobody would find it again, or only hango itself writes. */
export function writable(path: string): string {
  const shown = parseAgentPath(absolute(path));
  const place = placeOf(shown.slice(1));
  if (place.kind === "machine") throw new HangoError("forbidden", `${shown} is a place that only hango itself writes. Use another path.`, { path: shown });
  if (place.kind === "reserved" && !place.exact)
    throw new HangoError("forbidden", `${shown} is another spelling of the reserved /${place.name}/. Write below that one, or use another path.`, {
      path: shown,
    });
  return shown;
}

/** Runs a change and says its refusals in the words of the command line. */
export async function inCommandWords<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isHangoError(error)) throw error;
    const message = inWords(error);
    throw message === undefined ? error : new HangoError(error.code, message, { ...error, cause: error });
  }
}

function inWords({ code, message, path, details }: HangoError): string | undefined {
  const file = path ?? "The file";
  if (code === "invalid_pattern") return message.replace("set literal to true", "use -F");
  if (code === "already_exists") return `${file} already exists. Write over it with --overwrite, or with --if-version and the version that “hango stat” shows.`;
  if (code === "not_a_file") return `${file} is a directory. To delete it with everything below it, use rm -r.`;
  if (code === "no_match") return message.replace(/^old_string/, "The text OLD");
  if (code === "ambiguous_match")
    return `The text OLD occurs ${String(details?.["count"])} times in ${file}; the file is unchanged. Give more of the text around it, or use --all.`;
  if (code === "conflict") {
    const current = details?.["currentVersion"];
    return typeof current === "string" ? `${file} is not at that version any more: it is at ${current}. Nothing was changed.` : message;
  }
  return undefined;
}
