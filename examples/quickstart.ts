import { fileTools, openSession, uuidFor, withOffload } from "hango";
import { openDatabase, postgresStorage } from "hango/postgres";

// "postgres://…" in production; without a server "pglite:./data", Postgres in this process, or "pglite:" for a throw-away store.
const db = await openDatabase("pglite:");
// Scope is bound here, once: no tool has an argument that reaches another tenant, agent or session.
const storage = postgresStorage(db).scope({ tenantId: uuidFor("acme"), agentId: uuidFor("researcher") });
const session = openSession({ storage, sessionId: uuidFor("thread 42") });

// A tool of yours: a result too large for the context goes to a file, and the model sees a short preview of it.
const rows = async () => ({ isError: false, forModel: "id,name,price\n".repeat(20_000) });
const query = withOffload(session, { name: "query", description: "Runs a query.", inputSchema: {}, execute: rows });
// Beside it what a model works with: ls, read_file, write_file, edit_file, glob, grep.
const tools = new Map([...fileTools(session), query].map((tool) => [tool.name, tool]));
const call = async (name: string, args: unknown, toolCallId: string) => (await tools.get(name)?.execute(args, { toolCallId }))?.forModel;

await call("write_file", { path: "/notes/today.md", content: "# Today\n- milk\n- eggs\n" }, "1");
console.log(await call("edit_file", { path: "/notes/today.md", old_string: "milk", new_string: "oat milk" }, "2"));
console.log(await call("query", {}, "3"));

await db.close();
