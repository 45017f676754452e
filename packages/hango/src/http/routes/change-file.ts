/** PUT and DELETE: an owner or admin corrects what the agent's prompts read. */
import { z } from "zod";
import { alreadyExists, conflict } from "../../contract/refusals.ts";
import { HangoError, isHangoError } from "../../errors.ts";
import { entryOfFile } from "../../fs/context.ts";
import type { Session } from "../../session/vocabulary.ts";
import type { FilePath, Version } from "../../storage.ts";
import { readBody } from "../body.ts";
import { requireEdit, requireManager } from "../can.ts";
import { openFiles, type AgentCall, type Door } from "../door.ts";
import { etagOf, matchesStrongly, parseTags, soleVersion, type Tags } from "../preconditions.ts";
import { httpRefusal } from "../problem.ts";
import { recordingRefusals } from "../refusals.ts";
import { fileSegments, jsonResponse, readQuery, sessionParam, type Route } from "../route.ts";
import { isSameOrigin } from "../same-origin.ts";
import { decodeFilePath } from "../target.ts";
import { shownEntry } from "./listing.ts";

const query = z.object({ session_id: sessionParam });

const answers = {
  403: "Not for this role, or not below /memories/ and /skills/",
  404: "No such agent or session",
  412: "The file is at another version; `ETag` is the current one",
  428: "Say which version you mean",
};

export function changeFileRoutes(door: Door): readonly Route[] {
  return [
    {
      method: "put",
      path: "/v1/agents/{id}/files/{path}",
      needs: "agent",
      summary: "Write a file below /memories/ or /skills/: with If-Match over that version, else only where there is none",
      query,
      headers: {
        "If-Match": "The version to write over",
        "If-None-Match": "Only as *: write where there is no file, which is also what no header means",
      },
      body: { contentType: "application/octet-stream", schema: z.unknown() },
      answers: { 200: "Written over", 201: "Created", 413: "Too large", 415: "An encoded body", 507: "Over the quota", ...answers },
      handle: (call: AgentCall) =>
        recordingRefusals(door, call, { action: "file.write", segments: fileSegments(call.target), run: async () => put(door, call, await admit(door, call)) }),
    },
    {
      method: "delete",
      path: "/v1/agents/{id}/files/{path}",
      needs: "agent",
      summary: "Delete a file below /memories/ or /skills/ at the version that If-Match names",
      query,
      headers: { "If-Match": "The version to delete" },
      answers: { 204: "Deleted", ...answers },
      handle: (call: AgentCall) =>
        recordingRefusals(door, call, { action: "file.delete", segments: fileSegments(call.target), run: async () => remove(call, await admit(door, call)) }),
    },
  ];
}

interface Admitted {
  readonly session: Session;
  readonly path: FilePath;
}

/** Role, then path, then where it may be; what is there is looked at last. */
async function admit(door: Door, call: AgentCall): Promise<Admitted> {
  requireManager(call.principal);
  if (!isSameOrigin(call.request))
    throw new HangoError("forbidden", "This change came from another site's page. Send it from the page itself, or with a key in the Authorization header.");
  const path = decodeFilePath(fileSegments(call.target));
  requireEdit(call.principal, path);
  return { path, session: await openFiles(door, call, readQuery(call, query).session_id) };
}

async function put(door: Door, { request, principal }: AgentCall, { session, path }: Admitted): Promise<Response> {
  const ifMatch = parseTags(request.headers.get("if-match"), "If-Match");
  const ifNoneMatch = parseTags(request.headers.get("if-none-match"), "If-None-Match");
  if (ifNoneMatch !== undefined && ifNoneMatch !== "*")
    throw new HangoError("invalid_argument", "A PUT takes If-None-Match only as *: write where there is no file yet.");
  if (ifMatch !== undefined && ifNoneMatch !== undefined)
    throw new HangoError("invalid_argument", "If-Match and If-None-Match: * ask for opposite things; send one of them.");
  refusePartsAndCodings(request.headers);
  const ifVersion = ifMatch === undefined ? "absent" : await versionMeant(session, path, ifMatch);
  const contentType = saidType(request.headers);
  const bytes = await readBody(request, door.limits.maxFileBytes);
  try {
    const info = await session.storage.write(path, bytes, { ifVersion, ...(contentType === "" ? {} : { contentType }) });
    return jsonResponse(shownEntry(door, principal, entryOfFile(info)), {
      status: ifVersion === "absent" ? 201 : 200,
      headers: { etag: etagOf(info.version) },
    });
  } catch (error) {
    if (!isHangoError(error, "already_exists")) throw error;
    if (ifNoneMatch === undefined)
      throw httpRefusal(428, "precondition_required", `/${path} exists. Send If-Match with the ETag you read, so that no one's change is lost.`);
    throw alreadyExists(path, await currentVersion(session, path));
  }
}

/** "" where the name decides. What `curl --data-binary` says unasked describes a form, and no file. */
function saidType(headers: Headers): string {
  const said = headers.get("content-type") ?? "";
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(said) ? "" : said;
}

/** A part would replace the whole file, and encoded bytes would become its content. */
function refusePartsAndCodings(headers: Headers): void {
  if (headers.has("content-range")) throw new HangoError("invalid_argument", "A PUT writes the whole file; Content-Range is not taken.");
  if (!/^(identity)?$/i.test(headers.get("content-encoding") ?? ""))
    throw httpRefusal(415, "unsupported_media_type", "Send the file's bytes as they are, without Content-Encoding.");
}

async function remove({ request }: AgentCall, { session, path }: Admitted): Promise<Response> {
  const ifMatch = parseTags(request.headers.get("if-match"), "If-Match");
  if (ifMatch === undefined) throw httpRefusal(428, "precondition_required", "Send If-Match with the ETag of the version you mean to delete.");
  if (request.headers.has("if-none-match")) throw new HangoError("invalid_argument", "A DELETE takes no If-None-Match.");
  await session.storage.delete(path, { ifVersion: await versionMeant(session, path, ifMatch) });
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

/** The version that If-Match means. A list, `*` and weak tags are held against the current one. Errors: conflict. */
async function versionMeant(session: Session, path: FilePath, tags: Tags): Promise<Version> {
  const sole = soleVersion(tags);
  if (sole !== undefined) return sole;
  const current = await currentVersion(session, path);
  if (current === undefined || !matchesStrongly(tags, current)) throw conflict(path, current);
  return current;
}

async function currentVersion(session: Session, path: FilePath): Promise<Version | undefined> {
  const entry = await session.storage.stat(path);
  return entry?.kind === "file" ? entry.info.version : undefined;
}
