import { it } from "vitest";
import { connect } from "node:net";
import { agents, bytesOf, directory, people, openWorld } from "./world.ts";
const log = (...a: unknown[]) => console.log(...a);
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
it("seats", async () => {
  const unhandled: unknown[] = []; process.on("unhandledRejection", (e) => unhandled.push(e));
  let slow = true;
  const world = await openWorld({ streams: { heartbeatMs: 100, pollMs: 20, maxStreamsEach: 2 }, agents: { ...directory, find: async (p, id) => { if (slow) await sleep(150); return directory.find(p, id); } } });
  const { port } = world; const id = agents.mine.id;
  for (const accept of ["text/event-stream"]) for (let i = 0; i < 4; i++) {
    const s = connect(port, "127.0.0.1", () => s.write(`GET /v1/agents/${id}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner\r\nAccept: ${accept}\r\nLast-Event-ID: ${crypto.randomUUID()}\r\n\r\n`));
    s.on("error", () => {}); await sleep(50); s.destroy(); await sleep(200);
  }
  await sleep(500); slow = false;
  const r = await world.call("owner", `/v1/agents/${id}/events`, { headers: { accept: "text/event-stream" } });
  log("after early leavers:", r.status, "errors", world.errors.map(String)); await r.body?.cancel();
  // grep aborted
  slow = true;
  const s = connect(port, "127.0.0.1", () => s.write(`GET /v1/agents/${id}/grep?pattern=a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner\r\n\r\n`));
  s.on("error", () => {}); await sleep(50); s.destroy(); await sleep(400);
  log("grep left:", world.errors.map((e) => typeof e + String(e)), unhandled);
  await world.close();
});
it("busy + revoked", async () => {
  let revoked = false;
  const world = await openWorld({ streams: { heartbeatMs: 100, pollMs: 10 }, authenticate: async (r) => (revoked && r.headers.get("authorization") === "Bearer maker" ? undefined : people.get((r.headers.get("authorization") ?? "").slice(7))) });
  const id = agents.mine.id; const files = world.files(agents.mine);
  const r = await world.call("maker", `/v1/agents/${id}/events`, { headers: { accept: "text/event-stream" } });
  const reader = r.body!.pipeThrough(new TextDecoderStream()).getReader();
  let stop = false; const writer = (async () => { for (let i = 0; !stop; i++) { await files.write(`notes/${i % 10}`, bytesOf("x")); await sleep(3); } })();
  await sleep(200); revoked = true; const at = Date.now(); let after = 0; let ended = false;
  while (Date.now() - at < 2000) { const x = await Promise.race([reader.read(), sleep(500).then(() => undefined)]); if (x?.done) { ended = true; break; } if (x?.value && Date.now() - at > 300) after += 1; }
  stop = true; await writer;
  log("revoked at busy: ended", ended, "chunks more than 300 ms after the revocation", after, "in", Date.now() - at);
  await reader.cancel().catch(() => {}); await world.close();
});
