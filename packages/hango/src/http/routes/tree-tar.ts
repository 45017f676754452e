/** A tree as a tar archive, streamed: a page of the listing and one file are held at a time. */
import { z } from "zod";
import { listPages } from "../../contract/derive/pages.ts";
import { isHangoError } from "../../errors.ts";
import { parseAgentPath, toFilePath } from "../../path/path.ts";
import type { Session } from "../../session/vocabulary.ts";
import { openFiles, type AgentCall, type Door } from "../door.ts";
import { readQuery, sessionParam, type Route } from "../route.ts";
import { bodyOf } from "../sending.ts";
import { tarEnd, tarMember } from "../tar.ts";

const query = z.object({ path: z.string().optional(), session_id: sessionParam });

export function treeTarRoute(door: Door): Route {
  return {
    method: "get",
    path: "/v1/agents/{id}/tree.tar",
    needs: "agent",
    summary: "Every file below a directory, as a tar archive",
    query,
    produces: ["application/x-tar"],
    answers: { 200: "The archive; it ends early, as a broken transfer, when a file can't be read", 429: "Too much is on its way to you already" },
    handle: async (call: AgentCall) => {
      const { path = "/", session_id } = readQuery(call, query);
      const directory = parseAgentPath(path);
      const session = await openFiles(door, call, session_id);
      const { signal } = call.request;
      // What is not there is a 404, not a broken archive.
      await session.fs.ls(directory, { limit: 1, signal });
      const headers = {
        "content-type": "application/x-tar",
        "content-disposition": 'attachment; filename="tree.tar"',
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
      };
      if (call.request.method === "HEAD") return new Response(null, { headers });
      // One file at a time is held, and none is larger.
      const onEnd = door.sending.take(call.principal, Math.max(door.limits.maxFileBytes, door.limits.maxOffloadBytes));
      return new Response(bodyOf(packed(session, toFilePath(directory), signal), { signal, onEnd }), { headers });
    },
  };
}

async function* packed(session: Session, prefix: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  for await (const page of listPages(session.storage.list, { prefix, signal })) {
    for (const { path } of page) {
      const file = await readListed(session, path, signal);
      if (file === undefined) continue;
      yield* tarMember({ path, bytes: file.bytes, ...(file.info.updatedAt === undefined ? {} : { modifiedAt: file.info.updatedAt }) });
    }
  }
  yield tarEnd();
}

/** A file that went between the listing and the reading is no longer part of the tree, also where a directory has its name now. */
async function readListed(session: Session, path: string, signal: AbortSignal): Promise<Awaited<ReturnType<Session["storage"]["read"]>> | undefined> {
  try {
    return await session.storage.read(path, { signal });
  } catch (error) {
    if (isHangoError(error, "not_found") || isHangoError(error, "not_a_file")) return undefined;
    throw error;
  }
}
