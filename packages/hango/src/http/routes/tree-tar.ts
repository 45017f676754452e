/** A tree as a tar archive, streamed: a page of the listing and one file are held at a time. */
import { z } from "zod";
import { listPages } from "../../contract/derive/pages.ts";
import { isHangoError } from "../../errors.ts";
import { parseAgentPath, toFilePath } from "../../path/path.ts";
import type { Session } from "../../session/vocabulary.ts";
import { openFiles, type AgentCall, type Door } from "../door.ts";
import { readQuery, sessionParam, type Route } from "../route.ts";
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
    answers: { 200: "The archive; it ends early, as a broken transfer, when a file can't be read" },
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
      const body = call.request.method === "HEAD" ? null : streamOf(packed(session, toFilePath(directory), signal));
      return new Response(body, { headers });
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

/** A file that went between the listing and the reading is no longer part of the tree. */
async function readListed(session: Session, path: string, signal: AbortSignal): Promise<Awaited<ReturnType<Session["storage"]["read"]>> | undefined> {
  try {
    return await session.storage.read(path, { signal });
  } catch (error) {
    if (isHangoError(error, "not_found")) return undefined;
    throw error;
  }
}

function streamOf(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await chunks.return();
    },
  });
}
