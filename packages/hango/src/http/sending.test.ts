import { describe, expect, it } from "vitest";
import type { Limits } from "../limits.ts";
import { memoryStorage } from "../storages/memory.ts";
import { createFilesApp, type FilesApp } from "./create-files-app.ts";
import { bodyOf } from "./sending.ts";

const tenantId = "11111111-1111-4111-8111-111111111111";
const agent = { tenantId, id: "22222222-2222-4222-8222-222222222222", name: "a", createdBy: "ann", createdAt: new Date(0) };
const SIZE = 1_000_000;
const content = Uint8Array.from({ length: SIZE }, (_, at) => at % 251);
const url = `http://host/v1/agents/${agent.id}`;

/** Who asks stands in a header; three contents of one person, five of all. */
async function openApp(limits: Partial<Limits> = { maxOffloadBytes: SIZE, maxFileBytes: 1 }): Promise<FilesApp> {
  const tree = memoryStorage();
  await tree.write("large.bin", content);
  await tree.write("small.bin", content.subarray(0, 65_536));
  return createFilesApp({
    authenticate: async (request) => ({ tenantId, subject: request.headers.get("x-who") ?? "ann", role: "owner" }),
    agents: { find: async () => agent, list: async () => [agent], sessions: async () => [], session: async () => undefined },
    storage: { name: "memory", scope: () => tree },
    limits,
    streams: { maxSendBytesEach: 3 * SIZE, maxSendBytes: 5 * SIZE },
  });
}

describe("contents that nobody reads: a thousand sockets that took a byte of each held 16 GB", () => {
  const ask = async (app: FilesApp, who = "ann", init: RequestInit = {}, path = "/files/large.bin"): Promise<Response> =>
    app.fetch(new Request(`${url}${path}`, { ...init, headers: { "x-who": who, ...(init.headers as Record<string, string>) } }));

  it("are 429 for one person and 503 for all, with the seconds to wait, until one of them is read or left", async () => {
    const app = await openApp();
    const unread = [await ask(app), await ask(app), await ask(app)];
    const refused = await ask(app);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    const others = [await ask(app, "ben"), await ask(app, "ben")];
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask(app, "ben")).status).toBe(503);
    // Read to its end, left in its middle, and left by the socket.
    expect(new Uint8Array((await unread[0]?.arrayBuffer()) ?? [])).toEqual(content);
    expect((await ask(app)).status).toBe(200);
    const reader = unread[1]?.body?.getReader();
    expect((await reader?.read())?.value?.length).toBe(65_536);
    expect((await ask(app)).status).toBe(429);
    await reader?.cancel();
    expect((await ask(app)).status).toBe(200);
    for (const answer of [unread[2], ...others]) await answer?.body?.cancel();
    const gone = new AbortController();
    for (const _ of [1, 2, 3]) await ask(app, "cat", { signal: gone.signal });
    expect((await ask(app, "cat")).status).toBe(429);
    gone.abort();
    expect((await ask(app, "cat")).status).toBe(200);
  });

  it("count as what is sent of them: a range of one byte held the whole file", async () => {
    const app = await openApp();
    const ranges = await Promise.all(Array.from({ length: 20 }, () => ask(app, "ann", { headers: { range: "bytes=5-5" } })));
    expect(ranges.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 206));
    expect(new Uint8Array((await ranges[0]?.arrayBuffer()) ?? [])).toEqual(content.subarray(5, 6));
    const part = await ask(app, "ann", { headers: { range: "bytes=100000-299999" } });
    expect(part.headers.get("content-length")).toBe("200000");
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(content.subarray(100_000, 300_000));
    for (let asked = 0; asked < 100; asked++) expect((await ask(app, "ann", {}, "/files/small.bin")).status).toBe(200);
  });

  it("and archives are each as much as one file may be, and HEAD is nothing", async () => {
    const app = await openApp();
    for (let asked = 0; asked < 10; asked++) expect((await ask(app, "ann", { method: "HEAD" }, "/tree.tar")).status).toBe(200);
    const archives = [await ask(app, "ann", {}, "/tree.tar"), await ask(app, "ann", {}, "/tree.tar"), await ask(app, "ann", {}, "/tree.tar")];
    expect((await ask(app, "ann", {}, "/tree.tar")).status).toBe(429);
    for (const archive of archives) await archive.arrayBuffer();
    expect((await ask(app, "ann", {}, "/tree.tar")).status).toBe(200);
  });

  it.each([[{ maxOffloadBytes: 3 * SIZE, maxFileBytes: 1 }], [{ maxOffloadBytes: 1, maxFileBytes: 3 * SIZE }]])(
    "and an archive is as much as the larger of a file and a stored result: %o",
    async (limits) => {
      const app = await openApp(limits);
      const archive = await ask(app, "ann", {}, "/tree.tar");
      expect([archive.status, (await ask(app, "ann", {}, "/tree.tar")).status]).toEqual([200, 429]);
      await archive.body?.cancel();
    },
  );

  it("one that is larger than the bound goes out alone", async () => {
    const tree = memoryStorage();
    await tree.write("large.bin", content);
    const app = createFilesApp({
      authenticate: async () => ({ tenantId, subject: "ann", role: "owner" }),
      agents: { find: async () => agent, list: async () => [agent], sessions: async () => [], session: async () => undefined },
      storage: { name: "memory", scope: () => tree },
      streams: { maxSendBytesEach: 1, maxSendBytes: 1 },
    });
    const alone = await ask(app);
    expect([alone.status, (await ask(app)).status]).toEqual([200, 429]);
    await alone.arrayBuffer();
    expect((await ask(app)).status).toBe(200);
  });
});

describe("a body made of a generator", () => {
  /** Five pieces; what happens to it and to its booking is kept. */
  function open(signal: AbortSignal): { readonly told: readonly string[]; readonly reader: ReadableStreamDefaultReader<Uint8Array> } {
    const told: string[] = [];
    async function* pieces(): AsyncGenerator<Uint8Array, void> {
      try {
        for (let piece = 0; piece < 5; piece++) yield Uint8Array.of(piece);
      } finally {
        told.push("closed");
      }
    }
    return { told, reader: bodyOf(pieces(), { signal, onEnd: () => told.push("ended") }).getReader() };
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("is closed and ends once when its request aborts: its finally never ran, and the next read ended it a second time", async () => {
    const gone = new AbortController();
    const { told, reader } = open(gone.signal);
    await reader.read();
    gone.abort(new Error("left"));
    await settled();
    expect(told).toEqual(["ended", "closed"]);
    await expect(reader.read()).rejects.toThrow("left");
    expect(told).toHaveLength(2);
  });

  it("is closed and ends once when its reader leaves, and when it is read to its end", async () => {
    for (const leave of [true, false]) {
      const gone = new AbortController();
      const { told, reader } = open(gone.signal);
      let taken = 0;
      for (; !(leave && taken === 2) && !(await reader.read()).done; taken++);
      if (leave) await reader.cancel();
      gone.abort();
      await settled();
      expect([taken, told.toSorted()]).toEqual([leave ? 2 : 5, ["closed", "ended"]]);
    }
  });

  it("fails for nobody when it fails as an abort closes it, and ends at once under a signal that is aborted", async () => {
    const gone = new AbortController();
    let ended = 0;
    async function* failing(): AsyncGenerator<Uint8Array, void> {
      try {
        yield Uint8Array.of(1);
      } finally {
        await Promise.reject(new Error("it could not be closed"));
      }
    }
    const reader = bodyOf(failing(), { signal: gone.signal, onEnd: () => void (ended += 1) }).getReader();
    await reader.read();
    gone.abort(new Error("left"));
    await settled();
    await expect(reader.read()).rejects.toThrow("left");
    const { told } = open(gone.signal);
    await settled();
    expect([ended, told]).toEqual([1, ["ended"]]);
  });
});
