/** Roles × tenants × agents × sessions × methods × paths: each combination answers what the rules say, and nothing of what is hidden. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AgentRow } from "hango/http";
import { agents, bytesOf, openWorld, people, sessions, type Person, type World } from "./world.ts";

const MARK = "content of ";
const paths = [
  "notes/a.md",
  "memories/AGENTS.md",
  "skills/s.md",
  "Memories/x.md",
  "memories",
  `large_tool_results/${sessions.makers.id}/r`,
  `large_tool_results/${sessions.owners.id}/r`,
  `conversation_history/${sessions.owners.id}.md`,
  "not-there.md",
  "..",
  "%2e%2e",
  "a%2Fb",
  "%zz",
] as const;
const agentIds: readonly (readonly [string, AgentRow | undefined])[] = [
  [agents.mine.id, agents.mine],
  [agents.mine.id.toUpperCase(), agents.mine],
  [agents.theirs.id, agents.theirs],
  [agents.foreign.id, agents.foreign],
  [randomUUID(), undefined],
  ["nonsense", undefined],
  ["%2e%2e", undefined],
];
const sessionIds = [undefined, sessions.makers.id, sessions.owners.id, sessions.foreign.id, "nonsense"] as const;
const methods = ["GET", "HEAD", "PUT", "DELETE"] as const;

let world: World;
beforeAll(async () => {
  // Far more is refused here than one person may be in a minute.
  world = await openWorld({ rates: { refusals: 1_000_000 } });
  for (const agent of Object.values(agents)) {
    for (const path of paths) {
      if (path.includes("%") || path === ".." || path === "not-there.md" || path === "memories" || path === "Memories/x.md") continue;
      await world.files(agent).write(path, bytesOf(`${MARK}${agent.name} ${path}`));
    }
  }
});
afterAll(() => world.close());

interface Combination {
  readonly person: Person;
  readonly agent: AgentRow | undefined;
  readonly session: string | undefined;
  readonly method: (typeof methods)[number];
  readonly path: string;
}

/** The rules again, in the order in which the issue puts them: agent, role, path, place, session, what is there. */
function expected({ person, agent, session, method, path }: Combination): number {
  const principal = people.get(person);
  const mayManage = principal?.role !== "member";
  if (principal === undefined || agent === undefined || agent.tenantId !== principal.tenantId) return 404;
  if (!mayManage && agent.createdBy !== principal.subject) return 404;
  const changes = method === "PUT" || method === "DELETE";
  if (changes && !mayManage) return 403;
  if (path === ".." || path.includes("%")) return 400;
  const isReserved = path.startsWith("memories/") || path.startsWith("skills/");
  if (changes && !isReserved) return 403;
  const row = Object.values(sessions).find(({ id }) => id === session);
  const seesSession = row !== undefined && row.agentId === agent.id && (mayManage || row.createdBy === principal.subject);
  if (session !== undefined && !seesSession) return 404;
  if (method === "PUT") return 428;
  if (method === "DELETE") return 412;
  if (path === "not-there.md" || path === "Memories/x.md") return 404;
  if (path === "memories") return 409;
  if (/^(large_tool_results|conversation_history)/.test(path)) return session !== undefined && path.includes(session) ? 200 : 404;
  return 200;
}

it("no combination answers anything else, and no answer holds what the caller may not see", async () => {
  let count = 0;
  const notFound = new Set<string>();
  for (const person of people.keys() as IterableIterator<Person>) {
    for (const [id, agent] of agentIds) {
      for (const session of sessionIds) {
        const wave = methods.flatMap((method) => paths.map((path) => ({ person, agent, session, method, path })));
        await Promise.all(
          wave.map(async (combination) => {
            const { method, path } = combination;
            const raw = `/v1/agents/${id}/files/${path}${session === undefined ? "" : `?session_id=${session}`}`;
            const answer = await sendRaw(person, method, raw);
            count += 1;
            expect([person, agent?.name, session, method, path, answer.status]).toEqual([person, agent?.name, session, method, path, expected(combination)]);
            if (answer.body.includes(MARK)) expect(answer.body).toBe(`${MARK}${agent?.name} ${path}`);
            if (expected({ ...combination, method: "GET", session: undefined, path: "notes/a.md" }) === 404 && method !== "HEAD") notFound.add(answer.body);
          }),
        );
      }
    }
  }
  expect(count).toBe(5 * 7 * 5 * 4 * 13);
  expect(notFound.size).toBe(1);
  // Every refused change of an agent that the caller sees is on record, and every other one left no trace.
  for (const row of world.rows.filter(({ actor }) => actor === "operator")) expect(["denied", "failed"]).toContain(row.outcome);
}, 300_000);

async function sendRaw(person: Person, method: string, target: string): Promise<{ readonly status: number; readonly body: string }> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${person}`, ...(method === "DELETE" ? { "if-match": '"stale"' } : {}) };
    const sent = request({ host: "127.0.0.1", port: world.port, method, path: target, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }));
    });
    sent.on("error", reject);
    sent.end(method === "PUT" ? "x" : undefined);
  });
}
