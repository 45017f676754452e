/** Exercise 1: write a file through the agent's tool and read it back over the API. */
import { fileTools, openSession, uuidFor } from "hango";
import { createFilesApp } from "hango/http";
import { openDatabase, tenancyOf } from "hango/postgres";

// What `hango serve` does at its first start, in one process: a tenant, an agent, and a key for a person.
const database = await openDatabase("pglite:", { server: true });
const tenancy = tenancyOf(database);
const { id: tenantId } = await tenancy.createTenant({ name: "acme" });
const agent = await tenancy.createAgent(tenantId, { name: "researcher", createdBy: "ada" });
const { key } = await tenancy.createKey(tenantId, { subject: "ada", role: "owner" });

// The agent: the namespace is bound before any tool exists, so the call below names a path and nothing else.
const storage = tenancy.storage.scope({ tenantId, agentId: agent.id });
const session = openSession({ storage, sessionId: uuidFor("exercise 1") });
const writeFile = fileTools(session).find(({ name }) => name === "write_file");
const wrote = await writeFile?.execute({ path: "/notes/today.md", content: "# Today\n- read the code\n" }, { toolCallId: "1" });
console.log(`agent: ${String(wrote?.forModel)}`);

// The person: an HTTP request with a key. The agent's id is looked up for this person before the path is looked at.
const app = createFilesApp({
  authenticate: (request) => tenancy.authenticate(request.headers.get("authorization")?.replace("Bearer ", "") ?? ""),
  agents: tenancy.agents,
  storage: tenancy.storage,
});
const read = async (agentId: string): Promise<string> => {
  const request = new Request(`http://localhost/v1/agents/${agentId}/files/notes/today.md`, { headers: { authorization: `Bearer ${key}` } });
  const response = await app.fetch(request);
  const version = response.headers.get("etag") === null ? "no ETag" : "an ETag";
  return `${response.status}, ${version}, ${JSON.stringify(response.status === 200 ? await response.text() : ((await response.json()) as { detail: string }).detail)}`;
};
console.log(`GET, the agent's id: ${await read(agent.id)}`);
console.log(`GET, another id: ${await read(uuidFor("someone else's agent"))}`);

app.close();
await database.close();
