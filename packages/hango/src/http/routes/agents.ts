/** Who I am, the agents I may see, and their sessions. */
import { z } from "zod";
import type { AgentRow, DirectoryPage } from "../../tenancy.ts";
import { maySeeSession, type Door, type SignedCall } from "../door.ts";
import { jsonResponse, pageOf, readQuery, wholeParam, flagParam, type Route } from "../route.ts";

const MAX_AGENTS = 100;

const page = z.object({ after: z.string().max(128).optional(), limit: wholeParam({ least: 1, most: MAX_AGENTS }).optional() });
const agentsPage = page.extend({ usage: flagParam().optional() });

export function agentRoutes(door: Door): readonly Route[] {
  const shown = async (agent: AgentRow, withUsage: boolean): Promise<Readonly<Record<string, unknown>>> => {
    const usage = withUsage ? await door.usage?.(agent) : undefined;
    return { id: agent.id, name: agent.name, createdBy: agent.createdBy, createdAt: agent.createdAt, ...(usage === undefined ? {} : { usage }) };
  };

  return [
    {
      method: "get",
      path: "/v1/me",
      needs: "principal",
      summary: "Who is signed in",
      answers: { 200: "Tenant, subject and role" },
      handle: async ({ principal: { tenantId, subject, role } }) => jsonResponse({ tenantId, subject, role }),
    },
    {
      method: "get",
      path: "/v1/agents",
      needs: "principal",
      summary: "The agents that you may see",
      query: agentsPage,
      answers: { 200: "A page of agents; `next` is the `after` of the next one" },
      handle: async (call: SignedCall) => {
        const { after, limit = MAX_AGENTS, usage = false } = readQuery(call, agentsPage);
        const found = await door.agents.list(call.principal, directoryPage(after, limit));
        // As in a look-up of one: a row of another tenant is a fault of the directory and stays one without effect, in `next` too.
        const own = found.filter((agent) => agent.tenantId.toLowerCase() === call.principal.tenantId.toLowerCase());
        const { rows, next } = pageOf(own, limit, (agent) => agent.id);
        const agents: unknown[] = [];
        // One after the other: a page of a hundred at once would take every connection of the pool.
        for (const agent of rows) agents.push(await shown(agent, usage));
        return jsonResponse({ agents, ...(next === undefined ? {} : { next }) });
      },
    },
    {
      method: "get",
      path: "/v1/agents/{id}",
      needs: "agent",
      summary: "One agent",
      answers: { 200: "The agent and what it uses" },
      handle: async ({ agent }) => jsonResponse(await shown(agent, true)),
    },
    {
      method: "get",
      path: "/v1/agents/{id}/sessions",
      needs: "agent",
      summary: "The sessions of an agent that you may see",
      query: page,
      answers: { 200: "A page of sessions; `next` is the `after` of the next one" },
      handle: async (call) => {
        const { after, limit = MAX_AGENTS } = readQuery(call, page);
        const { principal, agent } = call;
        const found = await door.agents.sessions(principal, agent, directoryPage(after, limit));
        const visible = found.filter((session) => maySeeSession(call, session));
        const { rows, next } = pageOf(visible, limit, (session) => session.id);
        const sessions = rows.map(({ id, name, createdBy, createdAt }) => ({ id, createdBy, createdAt, ...(name === undefined ? {} : { name }) }));
        return jsonResponse({ sessions, ...(next === undefined ? {} : { next }) });
      },
    },
  ];
}

/** One row more than is shown, to know whether more follow. */
function directoryPage(after: string | undefined, limit: number): DirectoryPage {
  return { ...(after === undefined ? {} : { after }), limit: limit + 1 };
}
