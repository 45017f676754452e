/** Changing files and reading the record by the files API over a real socket, on memory. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agents, bytesOf, filesUrl, openWorld, sessions, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ streams: { heartbeatMs: 50, pollMs: 10, maxStreams: 2 } });
  const files = world.files(agents.mine);
  for (const path of ["notes/a.md", `large_tool_results/${sessions.makers.id}/call-1`, `conversation_history/${sessions.owners.id}.md`])
    await files.write(path, bytesOf("one"));
});
afterAll(() => world.close());

const mine = (path: string): string => filesUrl(agents.mine, path);

describe("changing", () => {
  const put = (person: "owner" | "maker", path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> =>
    world.call(person, mine(path), { method: "PUT", body, headers });

  it("creates, then asks for the version, then writes over it, then deletes it", async () => {
    const created = await put("owner", "/memories/AGENTS.md", "first");
    expect(created.status).toBe(201);
    const first = created.headers.get("etag") ?? "";
    expect((await put("owner", "/memories/AGENTS.md", "second")).status).toBe(428);
    const exists = await put("owner", "/memories/AGENTS.md", "second", { "if-none-match": "*" });
    expect([exists.status, exists.headers.get("etag")]).toEqual([412, first]);
    const second = await put("owner", "/memories/AGENTS.md", "second", { "if-match": first });
    expect(second.status).toBe(200);
    const stale = await put("owner", "/memories/AGENTS.md", "third", { "if-match": first });
    expect([stale.status, stale.headers.get("etag")]).toEqual([412, second.headers.get("etag")]);
    for (const tag of [`W/${second.headers.get("etag")}`, '"absent"'])
      expect((await put("owner", "/memories/AGENTS.md", "third", { "if-match": tag })).status).toBe(412);
    expect((await world.call("owner", mine("/memories/AGENTS.md"), { method: "DELETE" })).status).toBe(428);
    expect((await world.call("owner", mine("/memories/AGENTS.md"), { method: "DELETE", headers: { "if-match": first } })).status).toBe(412);
    expect(
      (await world.call("owner", mine("/memories/AGENTS.md"), { method: "DELETE", headers: { "if-match": second.headers.get("etag") ?? "" } })).status,
    ).toBe(204);
    expect((await put("owner", "/memories/AGENTS.md", "A", { "if-match": second.headers.get("etag") ?? "" })).status).toBe(412);
    expect((await world.call("owner", mine("/memories/AGENTS.md"))).status).toBe(404);
  });

  it("lets the name decide the type of what curl sends: rules.md was kept as application/x-www-form-urlencoded", async () => {
    const types: readonly (readonly [string, string])[] = [
      ["application/x-www-form-urlencoded", "text/markdown"],
      ["Application/X-WWW-Form-Urlencoded; charset=utf-8", "text/markdown"],
      ["application/x-www-form-urlencoded-not", "application/x-www-form-urlencoded-not"],
      ["text/x-rules", "text/x-rules"],
    ];
    for (const [n, [said, kept]] of types.entries()) {
      const answer = await put("owner", `/skills/typed/${n}.md`, "x", { "content-type": said });
      expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining({ contentType: kept })]);
    }
  });

  it("records each refusal before it answers: denied for what no one may, failed for what can't be now", async () => {
    const outcomes = async (change: Promise<Response>): Promise<readonly unknown[]> => {
      const before = world.rows.length;
      const { status } = await change;
      return [status, ...world.rows.slice(before).map(({ outcome, path, principal }) => [outcome, path, principal])];
    };
    expect(await outcomes(put("maker", "/memories/AGENTS.md", "x"))).toEqual([403, ["denied", "/memories/AGENTS.md", "maker"]]);
    expect(await outcomes(put("owner", "/notes/a.md", "x"))).toEqual([403, ["denied", "/notes/a.md", "owner"]]);
    expect(await outcomes(put("owner", "/memoriesX/a", "x"))).toEqual([403, ["denied", "/memoriesX/a", "owner"]]);
    expect(await outcomes(world.call("owner", `${mine("/memories/")}%zz`, { method: "PUT", body: "x" }))).toEqual([
      400,
      ["denied", expect.stringMatching(/^\/invalid-path-/), "owner"],
    ]);
    expect(await outcomes(world.call("owner", mine("/skills/none.md"), { method: "DELETE", headers: { "if-match": '"x"' } }))).toEqual([
      412,
      ["failed", "/skills/none.md", "owner"],
    ]);
    expect(await outcomes(put("owner", "/skills/new.md", "x"))).toEqual([201, ["ok", "/skills/new.md", "owner"]]);
    expect(await outcomes(put("owner", "/skills/new.md", "x"))).toEqual([428, ["failed", "/skills/new.md", "owner"]]);
  });

  it("tries no more changes of somebody who is refused without end: each was a row on record, and one stolen key could fill the disk", async () => {
    const other = await openWorld({ rates: { refusals: 20 } });
    try {
      const refused = (person: "owner" | "maker"): Promise<Response> => other.call(person, filesUrl(agents.mine, "/memories/x"), { method: "DELETE" });
      const statuses = new Map<number, number>();
      let last: Response | undefined;
      for (let n = 0; n < 25; n++) {
        last = await refused("maker");
        await last.clone().text();
        statuses.set(last.status, (statuses.get(last.status) ?? 0) + 1);
      }
      expect([...statuses]).toEqual([
        [403, 20],
        [429, 5],
      ]);
      expect(other.rows).toHaveLength(20);
      expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(1);
      expect((await refused("owner")).status).toBe(428);
    } finally {
      await other.close();
    }
  });

  it("stops a body at the byte over the limit, declared or not", async () => {
    const limit = 1024 * 1024;
    const stream = (size: number): RequestInit => ({ method: "PUT", body: new Blob([new Uint8Array(size).fill(97)]).stream(), duplex: "half" }) as RequestInit;
    expect((await put("owner", "/skills/full", "a".repeat(limit))).status).toBe(201);
    expect((await put("owner", "/skills/over", "a".repeat(limit + 1))).status).toBe(413);
    expect((await world.call("owner", mine("/skills/full-2"), stream(limit))).status).toBe(201);
    expect((await world.call("owner", mine("/skills/over-2"), stream(limit + 1))).status).toBe(413);
  });

  it("takes a file whole and plain only: a Content-Range of one byte replaced all of the file, and gzip was kept as its text", async () => {
    const { headers } = await put("owner", "/skills/whole", "0123456789");
    const ifMatch = { "if-match": headers.get("etag") ?? "" };
    expect((await put("owner", "/skills/whole", "x", { ...ifMatch, "content-range": "bytes 0-0/10" })).status).toBe(400);
    expect((await put("owner", "/skills/whole", "x", { ...ifMatch, "content-encoding": "gzip" })).status).toBe(415);
    expect(await (await world.call("owner", mine("/skills/whole"))).text()).toBe("0123456789");
    expect((await put("owner", "/skills/whole", "x", { ...ifMatch, "content-encoding": "identity" })).status).toBe(200);
  });

  it("writes nothing of a body that breaks off, and takes it for no fault of the server: each was reported as a failed request", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const before = world.rows.length;
    const socket = connect(world.port, "127.0.0.1", () => {
      const head = ["Host: test", "Authorization: Bearer owner", "Content-Length: 10"].join("\r\n");
      socket.write(`PUT ${mine("/skills/cut")} HTTP/1.1\r\n${head}\r\n\r\nabc`, () => setTimeout(() => socket.destroy(), 50));
    });
    socket.on("close", () => resolve());
    await closed;
    expect((await world.call("owner", mine("/skills/cut"))).status).toBe(404);
    expect([world.errors, world.rows.length]).toEqual([[], before]);
  });

  it("keeps the content type and bytes that are no text", async () => {
    expect((await put("owner", "/skills/odd", new Uint8Array([255, 0]), { "content-type": "application/x-odd" })).status).toBe(201);
    const answer = await world.call("owner", mine("/skills/odd"));
    expect([answer.headers.get("content-type"), answer.headers.get("x-file-content-type")]).toEqual(["application/octet-stream", "application/x-odd"]);
  });
});

describe("the record", () => {
  it("is read backwards by whoever sees the agent, and as audit by owners and admins", async () => {
    const events = (await (await world.call("maker", `/v1/agents/${agents.mine.id}/events?limit=3`)).json()) as { events: { id: string }[]; next?: string };
    expect(events.events.length).toBe(3);
    const older = (await (await world.call("maker", `/v1/agents/${agents.mine.id}/events?limit=3&before=${events.next}`)).json()) as {
      events: { id: string }[];
    };
    expect(older.events.map(({ id }) => id)).not.toContain(events.events[2]?.id);
    expect((await world.call("owner", "/v1/audit")).status).toBe(200);
    expect((await world.call("maker", "/v1/audit")).status).toBe(403);
    // Postgres refused "-000001-12-31T10:00:00.000Z", and the answer was 500.
    for (const time of ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-14:00"])
      expect([time, (await world.call("owner", `/v1/audit?from=${time}`)).status]).toEqual([time, 400]);
    expect((await world.call("owner", "/v1/audit?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z")).status).toBe(200);
    const all = (await (await world.call("maker", `/v1/agents/${agents.mine.id}/events?limit=1000`)).text()) as string;
    expect(all).not.toContain("large_tool_results");
    expect(all).not.toContain("conversation_history");
  });

  it("streams, beats, goes on from the last id, and turns the third reader away", async () => {
    const target = `/v1/agents/${agents.mine.id}/events`;
    const left = new AbortController();
    const open = (headers: Record<string, string> = {}): Promise<Response> =>
      world.call("owner", target, { headers: { accept: "text/event-stream", ...headers }, signal: left.signal });
    const first = (await open()).body?.pipeThrough(new TextDecoderStream()).getReader();
    const until = async (reader: typeof first, word: string): Promise<string> => {
      for (let text = ""; ;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        text += value ?? "";
        if (text.includes(word)) return text;
        if (done) throw new Error(`the stream ended before ${word}: ${text}`);
      }
    };
    await until(first, "id: ");
    await world.files(agents.mine).write("notes/live-1.md", bytesOf("x"));
    const seen = await until(first, "live-1.md");
    await until(first, ": still here");
    await world.files(agents.mine).write("notes/live-2.md", bytesOf("x"));
    await world.files(agents.mine).write(`large_tool_results/${sessions.makers.id}/hidden`, bytesOf("x"));
    await world.files(agents.mine).write("notes/live-3.md", bytesOf("x"));
    const second = (await open({ "last-event-id": /id: (\S+)\nevent/.exec(seen)?.[1] ?? "" })).body?.pipeThrough(new TextDecoderStream()).getReader();
    const resumed = await until(second, "live-3.md");
    expect(resumed).toContain("live-2.md");
    expect(resumed).not.toContain("live-1.md");
    expect(resumed).not.toContain("hidden");
    const third = await open();
    expect([third.status, third.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await world.call("owner", target, { method: "HEAD", headers: { accept: "text/event-stream" } })).status).toBe(200);
    left.abort();
    // A reader that left gives its place back.
    const again = new AbortController();
    for (let status = 429; status === 429;) {
      status = (await world.call("owner", target, { headers: { accept: "text/event-stream" }, signal: again.signal })).status;
      expect([200, 429]).toContain(status);
    }
    again.abort();
  });
});

describe("the whole", () => {
  it("answers 401 without a key, 405 for another method, 414 for a long target, and tells what it is as OpenAPI", async () => {
    const none = await world.call(undefined, mine("/notes/a.md"));
    expect([none.status, none.headers.get("www-authenticate"), none.headers.get("content-type")]).toEqual([401, "Bearer", "application/problem+json"]);
    const post = await world.call("owner", mine("/notes/a.md"), { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, PUT, DELETE"]);
    expect((await world.call("owner", `/v1/me?${"a".repeat(4096)}`)).status).toBe(414);
    const document = (await (await world.call(undefined, "/openapi.json")).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { parameters?: unknown[] }>>;
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths["/v1/agents/{id}/files/{path}"] ?? {}).toSorted()).toEqual(["delete", "get", "put"]);
    expect(document.paths["/v1/agents/{id}/files"]?.["get"]?.parameters?.length).toBe(7);
    expect(world.errors).toEqual([]);
  });
});
