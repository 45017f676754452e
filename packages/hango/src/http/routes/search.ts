/** grep and glob over an agent's files. */
import { z } from "zod";
import { MAX_GREP_CONTEXT, MAX_LITERAL_BYTES } from "../../limits.ts";
import { openFiles, type AgentCall, type Door } from "../door.ts";
import { flagParam, jsonResponse, readQuery, sessionParam, wholeParam, type Route } from "../route.ts";

const text = z.string("is missing").max(MAX_LITERAL_BYTES, "is too long");

export function searchRoutes(door: Door): readonly Route[] {
  const limited = wholeParam({ least: 1, most: door.limits.maxMatches }).optional();
  const globQuery = z.object({ pattern: text, path: z.string().optional(), limit: limited, session_id: sessionParam });
  const grepQuery = globQuery.extend({
    include: text.optional(),
    literal: flagParam().optional(),
    ignore_case: flagParam().optional(),
    context: wholeParam({ least: 0, most: MAX_GREP_CONTEXT }).optional(),
  });

  return [
    {
      method: "get",
      path: "/v1/agents/{id}/grep",
      needs: "agent",
      summary: "Lines that match a pattern",
      query: grepQuery,
      answers: { 200: "Matches by path, then line", 429: "Too many searches at once", 504: "The search took too long" },
      handle: async (call: AgentCall) => {
        const { pattern, path, include, literal, ignore_case, context, limit, session_id } = readQuery(call, grepQuery);
        const { fs } = await openFiles(door, call, session_id);
        const result = await fs.grep(pattern, {
          ...(path === undefined ? {} : { path }),
          ...(include === undefined ? {} : { include }),
          ...(literal === undefined ? {} : { literal }),
          ...(ignore_case === undefined ? {} : { ignoreCase: ignore_case }),
          ...(context === undefined ? {} : { context }),
          ...(limit === undefined ? {} : { maxCount: limit }),
          signal: call.request.signal,
        });
        return jsonResponse(result);
      },
    },
    {
      method: "get",
      path: "/v1/agents/{id}/glob",
      needs: "agent",
      summary: "Files whose path matches a pattern",
      query: globQuery,
      answers: { 200: "Paths in byte order" },
      handle: async (call: AgentCall) => {
        const { pattern, path, limit, session_id } = readQuery(call, globQuery);
        const { fs } = await openFiles(door, call, session_id);
        const { signal } = call.request;
        return jsonResponse(
          await fs.glob(pattern, { ...(path === undefined ? {} : { root: path }), ...(limit === undefined ? {} : { maxCount: limit }), signal }),
        );
      },
    },
  ];
}
