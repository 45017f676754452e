import { fileTools, openSession, uuidFor, withOffload } from "hango";
import { openDatabase, postgresStorage } from "hango/postgres";

// "postgres://…" in production; Postgres inside this process when there is no server: "pglite:./data", or "pglite:" for a throw-away store.
const db = await openDatabase("pglite:");

// Scope is bound here, once. No tool has an argument that reaches another tenant, agent or session.
const storage = postgresStorage(db).scope({ tenantId: uuidFor("acme"), agentId: uuidFor("researcher") });
const session = openSession({ storage, sessionId: uuidFor("thread 42") });

// The tools a model calls: ls, read_file, write_file, edit_file, glob, grep.
const tools = new Map(fileTools(session).map((tool) => [tool.name, tool]));
await tools.get("write_file")?.execute({ path: "/notes/today.md", content: "# Today\n- milk\n- eggs\n" }, { toolCallId: "1" });
const edited = await tools.get("edit_file")?.execute({ path: "/notes/today.md", old_string: "milk", new_string: "oat milk" }, { toolCallId: "2" });
console.log(edited?.forModel);

// Any tool of yours: a result too large for the context goes to a file, and the model sees a short preview of it.
const query = withOffload(session, {
  name: "query",
  description: "Runs a query.",
  inputSchema: {},
  execute: async () => ({ isError: false, forModel: Array.from({ length: 20_000 }, (_, i) => `row ${i}: …`).join("\n") }),
});
const result = await query.execute({}, { toolCallId: "3" });
console.log(result.forModel);

await db.close();
