/** What stands in a directory, or everything below it. */
import { z } from "zod";
import type { DirEntry } from "../../filesystem.ts";
import { entryOfFile } from "../../fs/context.ts";
import { LIST_PAGE } from "../../limits.ts";
import { parseAgentPath, toFilePath } from "../../path/path.ts";
import type { Session } from "../../session/vocabulary.ts";
import { canEdit, type Can } from "../can.ts";
import type { Principal } from "../../tenancy.ts";
import { openFiles, type AgentCall, type Door } from "../door.ts";
import { flagParam, jsonResponse, pageOf, readQuery, sessionParam, wholeParam, type Route } from "../route.ts";

/** Folders of a page that are counted, and files that are counted in one. */
const COUNTED_FOLDERS = 50;
const COUNTED_FILES = 1_000;

const query = z.object({
  path: z.string().optional(),
  recursive: flagParam().optional(),
  counts: flagParam().optional(),
  after: z.string().optional(),
  limit: wholeParam({ least: 1, most: LIST_PAGE }).optional(),
  session_id: sessionParam,
});

/** An entry as the API shows it: with what this person may do, and the face of its version where there is one. */
export interface ShownEntry extends DirEntry {
  readonly number?: number;
  readonly can?: Can;
  readonly count?: { readonly files: number; readonly more: boolean };
}

export function shownEntry(door: Door, principal: Principal, entry: DirEntry): ShownEntry {
  if (entry.kind === "directory") return entry;
  const number = entry.version === undefined ? undefined : door.versionNumber?.(entry.version);
  return { ...entry, ...(number === undefined ? {} : { number }), can: canEdit(principal, entry.path.slice(1)) };
}

export function listingRoute(door: Door): Route {
  return {
    method: "get",
    path: "/v1/agents/{id}/files",
    needs: "agent",
    summary: "What stands in a directory, or, with recursive, every file below it",
    query,
    answers: { 200: "A page in byte order; `next` is the `after` of the next one", 404: "No such agent, directory or session" },
    handle: async (call: AgentCall) => {
      const { path = "/", recursive = false, counts = false, after, limit = LIST_PAGE, session_id } = readQuery(call, query);
      const directory = parseAgentPath(path);
      const { signal } = call.request;
      const session = await openFiles(door, call, session_id);
      const from = after === undefined || after === "" ? {} : { after: recursive ? after.replace(/^\//, "") : after };
      const found = recursive
        ? await below(session, directory, { ...from, limit: limit + 1, signal })
        : await session.fs.ls(directory, { ...from, limit: limit + 1, signal });
      const { rows, next } = pageOf(found, limit, (entry) => (recursive ? entry.path : nameOf(entry)));
      const shown = rows.map((entry) => shownEntry(door, call.principal, entry));
      return jsonResponse({ path: directory, entries: counts ? await counted(session, shown, signal) : shown, ...(next === undefined ? {} : { next }) });
    },
  };
}

/** As `ls` orders it: a directory counts as its name with the slash. */
function nameOf({ name, kind }: DirEntry): string {
  return kind === "directory" ? `${name}/` : name;
}

async function below(
  session: Session,
  directory: string,
  options: { readonly after?: string; readonly limit: number; readonly signal: AbortSignal },
): Promise<readonly DirEntry[]> {
  const files = await session.storage.list({ ...options, prefix: toFilePath(directory) });
  // An empty answer may mean that there is no such directory: stat says so.
  if (files.length === 0 && options.after === undefined && directory !== "/") await session.fs.ls(directory, { limit: 1, signal: options.signal });
  return files.map(entryOfFile);
}

async function counted(session: Session, entries: readonly ShownEntry[], signal: AbortSignal): Promise<readonly ShownEntry[]> {
  const answers: ShownEntry[] = [];
  let folders = 0;
  for (const entry of entries) {
    if (entry.kind === "file" || folders >= COUNTED_FOLDERS) {
      answers.push(entry);
      continue;
    }
    folders += 1;
    const { length } = await session.storage.list({ prefix: toFilePath(entry.path), limit: COUNTED_FILES + 1, signal });
    answers.push({ ...entry, count: { files: Math.min(length, COUNTED_FILES), more: length > COUNTED_FILES } });
  }
  return answers;
}
