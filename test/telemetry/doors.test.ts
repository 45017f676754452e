/** One line for each change, whichever door it came through and whatever storage lies below. */
import { createOverlay, memoryStorage, mountStorage, openSession, uuidFor } from "hango";
import { createFilesApp } from "hango/http";
import { withTelemetry } from "hango/telemetry";
import { expect, it } from "vitest";
import { createRecorder, type Recorder } from "./recorder.ts";

const tenantId = uuidFor("tenant");
const agent = { tenantId, id: uuidFor("agent"), name: "a", createdBy: "ann", createdAt: new Date(0) };
const CANARY = "canary-77";

const lines = (recorder: Recorder): readonly unknown[] => recorder.logs().map(({ body }) => body);

it("over HTTP: a PUT and a DELETE that were made are a line each, and one that was refused is none", async () => {
  const recorder = createRecorder();
  const tree = memoryStorage();
  let role: "owner" | "member" = "owner";
  const app = createFilesApp({
    authenticate: async () => ({ tenantId, subject: "ann", role }),
    agents: { find: async () => agent, list: async () => [agent], sessions: async () => [], session: async () => undefined },
    storage: { name: "memory", scope: () => tree },
    observe: (session) => withTelemetry(session, recorder.providers),
  });
  const ask = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    app.fetch(new Request(`http://host/v1/agents/${agent.id}${path}`, { method, headers, ...(method === "PUT" ? { body: CANARY } : {}) }));
  const file = "/files/memories/a.md";

  const etag = (await ask("PUT", file)).headers.get("etag") ?? "";
  expect((await ask("PUT", file)).status).toBe(428);
  expect((await ask("PUT", file, { "if-match": '"stale"' })).status).toBe(412);
  expect((await ask("PUT", "/files/elsewhere.md")).status).toBe(403);
  expect((await ask("PUT", "/files/memories/%00")).status).toBe(400);
  role = "member";
  expect((await ask("DELETE", file, { "if-match": etag })).status).toBe(403);
  role = "owner";
  for (const path of [file, "/files", "/tree.tar", `/grep?pattern=${CANARY}`, "/glob?pattern=**"]) expect((await ask("GET", path)).status).toBe(200);
  const newer = (await ask("PUT", file, { "if-match": etag })).headers.get("etag") ?? "";
  expect((await ask("DELETE", file, { "if-match": newer })).status).toBe(204);
  expect(lines(recorder)).toEqual([
    `write /memories/a.md (+${CANARY.length} bytes)`,
    "write /memories/a.md (+0 bytes)",
    `delete /memories/a.md (-${CANARY.length} bytes)`,
  ]);
  expect(await recorder.everything()).not.toContain(CANARY);
});

it("over an overlay and a mount: a change is counted where it was made, not once more below", async () => {
  const recorder = createRecorder();
  const base = memoryStorage();
  await base.write("a", new Uint8Array(3));
  const storage = mountStorage({
    mounts: [
      { prefix: "", storage: createOverlay({ base }).storage },
      { prefix: "m", storage: memoryStorage() },
    ],
  });
  const { fs } = withTelemetry(openSession({ storage, sessionId: uuidFor("s") }), recorder.providers);
  await fs.write("/m/x", "12");
  await fs.write("/a", "1");
  await fs.edit("/a", "1", "123");
  await fs.delete("/m", { recursive: true });
  expect(lines(recorder)).toEqual(["write /m/x (+2 bytes)", "write /a (-2 bytes)", "edit /a (+2 bytes)", "delete /m (-2 bytes)"]);
  const operations = (await recorder.metrics()).get("hango.fs.operations")?.dataPoints ?? [];
  expect(operations.map(({ attributes, value }) => [attributes["op"], value])).toEqual([
    ["write", 2],
    ["edit", 1],
    ["delete", 1],
  ]);
});
