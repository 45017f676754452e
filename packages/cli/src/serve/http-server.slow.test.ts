import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { createHealth } from "./health.ts";
import { type AppFetch, type HttpServer, startHttpServer } from "./http-server.ts";
import { rawSocket } from "./raw-socket.test-support.ts";
import { currentRequest } from "./request-context.ts";
import { parseSettings, type ServeSettings } from "./settings.ts";

const open: HttpServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close(0);
});

interface Started extends HttpServer {
  readonly log: readonly Record<string, unknown>[];
}

async function start(fetch: AppFetch, settings: Partial<ServeSettings> = {}): Promise<Started> {
  const log: Record<string, unknown>[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) });
  const health = createHealth({ ping: async () => undefined, isClosing: () => false, onFailure: () => undefined });
  const server = await startHttpServer({ fetch, health, logger, settings: { ...parseSettings({}), port: 0, ...settings } });
  open.push(server);
  return { ...server, log };
}

const hello: AppFetch = async () => new Response("hello");
const upload: AppFetch = async (request) => new Response(`${(await request.arrayBuffer()).byteLength}`);

describe("the server's sockets", () => {
  it("answer a request, with an id that a proxy gave or a new one", async () => {
    const { url, log } = await start(hello);
    const given = await fetch(url, { headers: { "x-request-id": "proxy-7" } });
    expect([given.headers.get("x-request-id"), await given.text()]).toEqual(["proxy-7", "hello"]);
    const own = await fetch(url, { headers: { "x-request-id": "no good id" } });
    expect(own.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    await own.text();
    await expect.poll(() => log.map(({ request }) => request)).toEqual(["proxy-7", own.headers.get("x-request-id")]);
  });

  it("tell clients behind a trusted proxy apart: all of them were the proxy's address, which one wrong key a second shut out", async () => {
    const said: AppFetch = async () => new Response(currentRequest()?.address);
    const ask = async (settings: Partial<ServeSettings>): Promise<string> => {
      const { url, log } = await start(said, settings);
      const asked = (): Promise<string> => fetch(url, { headers: { "x-forwarded-for": "198.51.100.1, 203.0.113.7" } }).then((answer) => answer.text());
      expect(await asked()).toBe(await asked());
      // Somebody who did not set it is told, once.
      expect(log.filter(({ msg }) => String(msg).includes("HANGO_TRUSTED_PROXIES"))).toHaveLength(settings.trustedProxies === undefined ? 1 : 0);
      return asked();
    };
    expect([await ask({}), await ask({ trustedProxies: 1 })]).toEqual(["127.0.0.1", "203.0.113.7"]);
  });

  it("end a request whose headers come a byte at a time (slowloris)", async () => {
    const { url } = await start(hello, { headersTimeoutMs: 1_000 });
    const socket = await rawSocket(url);
    socket.send("GET / HTTP/1.1\r\nHost: x\r\n");
    const drip = setInterval(() => socket.send("a"), 100);
    const answer = await socket.ended;
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nContent-Type: application\/problem\+json/);
  });

  it("end a request whose body comes a byte at a time, and the app's reading with it", async () => {
    const outcome = Promise.withResolvers<string>();
    const reading: AppFetch = (request) =>
      request.arrayBuffer().then(
        () => new Response(),
        (error: unknown) => {
          outcome.resolve(String(error));
          throw error;
        },
      );
    const { url } = await start(reading, { headersTimeoutMs: 1_000, requestTimeoutMs: 1_000 });
    const socket = await rawSocket(url);
    socket.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
    const drip = setInterval(() => socket.send("a"), 100);
    const answer = await socket.ended;
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(await outcome.promise).toMatch(/abort|error/i);
  });

  it("end a connection on which nothing was ever sent", async () => {
    const { url } = await start(hello, { headersTimeoutMs: 1_000, idleTimeoutMs: 1_000 });
    expect(await (await rawSocket(url)).ended).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  it("answer 431 to headers of ten megabytes after the first sixteen kilobytes", async () => {
    const { url } = await start(hello);
    const socket = await rawSocket(url);
    socket.send(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${"a".repeat(10_000_000)}\r\n\r\n`);
    expect(await socket.ended).toMatch(/^(HTTP\/1\.1 431 |$)/);
    expect(await (await fetch(url)).text()).toBe("hello");
  });

  it.each([
    ["a line that is no request", "NONSENSE\r\n\r\n"],
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    ["a length and chunks (smuggling)", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["a backslash in the target", "GET /a\\b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
    ["a Host that is none", "GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n"],
  ])("answer 400 to %s", async (_, text) => {
    const { url } = await start(upload);
    const socket = await rawSocket(url);
    socket.send(text);
    expect(await socket.ended).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  });

  it("are bounded in number: one more is turned away and the others go on", async () => {
    const { url, log } = await start(hello, { maxConnections: 2 });
    const [first, second] = [await rawSocket(url), await rawSocket(url)];
    const third = await rawSocket(url);
    expect(await third.ended).toBe("");
    first.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await first.until("hello")).toContain("200 OK");
    expect(log.some(({ msg }) => String(msg).includes("too many are open"))).toBe(true);
    first.close();
    second.close();
  });

  it("are refused on a port that is in use, with what to do", async () => {
    const { url } = await start(hello);
    const port = Number(new URL(url).port);
    await expect(start(hello, { port })).rejects.toMatchObject({
      code: "unavailable",
      message: `Port ${port} of 127.0.0.1 is in use. Stop what uses it, or choose another with --port or PORT.`,
    });
  });
});

describe("closing the server", () => {
  it("waits for the answer under way, takes no new connection and cuts nothing", async () => {
    const work = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const server = await start(async () => {
      begun.resolve();
      await work.promise;
      return new Response("done");
    });
    const answer = fetch(server.url);
    await begun.promise;
    const closed = server.close(10_000);
    await expect(rawSocket(server.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    work.resolve();
    expect(await (await answer).text()).toBe("done");
    expect(await closed).toBe(0);
  });

  it("closes what stays open between two requests at once", async () => {
    const server = await start(hello);
    const socket = await rawSocket(server.url);
    socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await socket.until("hello");
    expect(await server.close(10_000)).toBe(0);
    await socket.ended;
  });

  it("does not wait for a connection on which nothing was asked yet, as browsers open ahead of need", async () => {
    const server = await start(hello);
    const socket = await rawSocket(server.url);
    await (await fetch(server.url)).text();
    expect(await server.close(60_000)).toBe(0);
    expect(await socket.ended).toBe("");
  });

  it("cuts what takes longer than it may, and says how many", async () => {
    const begun = Promise.withResolvers<void>();
    const server = await start(() => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    const answer = fetch(server.url);
    const failed = expect(answer).rejects.toThrow();
    await begun.promise;
    expect(await server.close(50)).toBe(1);
    await failed;
  });
});
