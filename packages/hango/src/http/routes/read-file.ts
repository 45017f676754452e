/** A file's content as it is, as numbered lines, as facts, or, for a stored tool result, as a preview like the one that the model saw. */
import { z } from "zod";
import { notAFile } from "../../contract/refusals.ts";
import { notFound, shownPath } from "../../errors.ts";
import { entryOfFile } from "../../fs/context.ts";
import type { FileInfo, FilePath } from "../../storage.ts";
import type { Session } from "../../session/vocabulary.ts";
import { contentHeaders } from "../content-headers.ts";
import { openFiles, type AgentCall, type Door } from "../door.ts";
import { etagOf, matchesStrongly, matchesWeakly, parseTags } from "../preconditions.ts";
import { httpRefusal } from "../problem.ts";
import { parseRange } from "../range.ts";
import { fileSegments, jsonResponse, readQuery, sessionParam, wholeParam, type Route } from "../route.ts";
import { contentBody } from "../sending.ts";
import { decodeFilePath } from "../target.ts";
import { shownEntry } from "./listing.ts";
import { remakePreview } from "../remake-preview.ts";

const MAX_WHOLE = Number.MAX_SAFE_INTEGER;

const query = z.object({
  view: z.enum(["content", "lines", "info", "preview"], "must be content, lines, info or preview").optional(),
  offset: wholeParam({ least: 0, most: MAX_WHOLE }).optional(),
  limit: wholeParam({ least: 1, most: MAX_WHOLE }).optional(),
  column: wholeParam({ least: 1, most: MAX_WHOLE }).optional(),
  session_id: sessionParam,
});

export function readFileRoute(door: Door): Route {
  return {
    method: "get",
    path: "/v1/agents/{id}/files/{path}",
    needs: "agent",
    summary: "A file: its content, or with offset and limit its numbered lines, or its facts, or the preview of a stored result",
    query,
    produces: ["application/octet-stream", "text/plain", "application/json"],
    headers: {
      "If-Match": "Answer 412 unless the file is at one of these versions",
      "If-None-Match": "Answer 304 while the file is at one of these versions",
      Range: "One range of bytes of the content",
      "If-Range": "Only while the file is at this version",
    },
    answers: {
      200: "The content",
      206: "A part of it",
      304: "Not changed",
      404: "No such agent, file or session",
      412: "The file is at another version",
      416: "The range is outside the file",
      429: "Too much is on its way to you already",
    },
    handle: async (call: AgentCall) => {
      const path = decodeFilePath(fileSegments(call.target));
      const { view, offset, limit, column, session_id } = readQuery(call, query);
      const session = await openFiles(door, call, session_id);
      const asked = view ?? (offset === undefined && limit === undefined && column === undefined ? "content" : "lines");
      if (asked === "content") return content(door, call, { session, path });
      if (asked === "preview") return jsonResponse(await remakePreview(door, call, { session, path }));
      if (asked === "info") {
        const info = await infoOf(session, path, call.request.signal);
        return jsonResponse(shownEntry(door, call.principal, entryOfFile(info)), { headers: { etag: etagOf(info.version) } });
      }
      const window = await session.fs.read(shownPath(path), {
        ...(offset === undefined ? {} : { offset }),
        ...(limit === undefined ? {} : { limit }),
        ...(column === undefined ? {} : { column }),
        signal: call.request.signal,
      });
      const { can, number } = shownEntry(door, call.principal, { name: "", path: window.path, kind: "file", version: window.version });
      return jsonResponse({ ...window, ...(number === undefined ? {} : { number }), can }, { headers: { etag: etagOf(window.version) } });
    },
  };
}

/** Errors: not_found, not_a_file. */
async function infoOf(session: Session, path: FilePath, signal: AbortSignal): Promise<FileInfo> {
  const entry = await session.storage.stat(path, { signal });
  if (entry === undefined) throw notFound(path);
  if (entry.kind === "directory") throw notAFile(path);
  return entry.info;
}

async function content(door: Door, call: AgentCall, { session, path }: { readonly session: Session; readonly path: FilePath }): Promise<Response> {
  const { request, principal } = call;
  const { headers, signal } = request;
  const to = { sending: door.sending, principal, signal };
  const ifMatch = parseTags(headers.get("if-match"), "If-Match");
  const ifNoneMatch = parseTags(headers.get("if-none-match"), "If-None-Match");
  // Facts are enough for HEAD and for an answer without content.
  if (request.method === "HEAD" || ifNoneMatch !== undefined) {
    const info = await infoOf(session, path, signal);
    const early = precondition(info);
    if (early !== undefined) return early;
    if (request.method === "HEAD") return whole(info, null);
  }
  const { info, bytes } = await session.storage.read(path, { signal });
  const early = precondition(info);
  if (early !== undefined) return early;
  const range = rangeOf(request, info);
  if (range.kind === "whole") return whole(info, contentBody(bytes, to));
  if (range.kind === "outside") {
    const answer = contentHeaders(info);
    for (const name of ["content-disposition", "content-type"]) answer.delete(name);
    answer.set("content-range", `bytes */${info.sizeBytes}`);
    return new Response(null, { status: 416, headers: answer });
  }
  const answer = contentHeaders(info);
  answer.set("content-range", `bytes ${range.start}-${range.end - 1}/${info.sizeBytes}`);
  answer.set("content-length", String(range.end - range.start));
  // Copied out of the file, so that the rest of it is not held with it.
  return new Response(contentBody(bytes.slice(range.start, range.end), to), { status: 206, headers: answer });

  function precondition(current: FileInfo): Response | undefined {
    if (ifMatch !== undefined && !matchesStrongly(ifMatch, current.version)) {
      throw httpRefusal(412, "conflict", `${shownPath(path)} is at another version than If-Match names.`);
    }
    if (ifNoneMatch === undefined || !matchesWeakly(ifNoneMatch, current.version)) return undefined;
    return new Response(null, { status: 304, headers: contentHeaders(current) });
  }
}

function whole(info: FileInfo, body: BodyInit | null): Response {
  const headers = contentHeaders(info);
  headers.set("content-length", String(info.sizeBytes));
  return new Response(body, { status: 200, headers });
}

/** A range counts only for GET, and with If-Range only while the file is the one that was begun. */
function rangeOf({ headers }: Request, info: FileInfo): ReturnType<typeof parseRange> {
  const ifRange = headers.get("if-range");
  if (ifRange !== null && ifRange.trim() !== etagOf(info.version)) return { kind: "whole" };
  return parseRange(headers.get("range"), info.sizeBytes);
}
