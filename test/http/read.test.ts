/** Reading by the files API over a real socket, on memory. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untar } from "./untar.ts";
import { agents, bytesOf, filesUrl, openWorld, sessions, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const files = world.files(agents.mine);
  await files.write("notes/a.md", bytesOf("one\ntwo\nthree\n"));
  await files.write("notes/b.md", bytesOf("bee\n"));
  await files.write("page.html", bytesOf("<script>alert(1)</script>"));
  await files.write("x.svg", bytesOf("<svg onload=alert(1)>"));
  await files.write("Test File #2?&+%20.md", bytesOf("ok"));
  await files.write("blob.bin", Uint8Array.from([0, 255, 254, 1]));
  await files.write("empty.txt", new Uint8Array());
  await files.write(`large_tool_results/${sessions.makers.id}/call-1`, bytesOf(Array.from({ length: 40 }, (_, n) => `row ${n}\n`).join("")));
  await files.write(`conversation_history/${sessions.owners.id}.md`, bytesOf("secret"));
});
afterAll(() => world.close());

const mine = (path: string): string => filesUrl(agents.mine, path);

describe("reading", () => {
  it("gives the bytes, their version as the ETag, and the same headers for HEAD", async () => {
    const got = await world.call("maker", mine("/notes/a.md"));
    expect(await got.text()).toBe("one\ntwo\nthree\n");
    expect(got.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(got.headers.get("etag")).toMatch(/^"[A-Za-z0-9._~-]+"$/);
    const head = await world.call("maker", mine("/notes/a.md"), { method: "HEAD" });
    const kept = (headers: Headers): readonly (readonly [string, string])[] =>
      [...headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name));
    expect(kept(head.headers)).toEqual(kept(got.headers));
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it.each(["/page.html", "/x.svg"])("never shows %s as something that runs", async (path) => {
    const answer = await world.call("maker", mine(path));
    expect(answer.headers.get("content-type")).not.toMatch(/html|svg|xml/);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  });

  it("keeps bytes and an empty file as they are", async () => {
    expect([...new Uint8Array(await (await world.call("maker", mine("/blob.bin"))).arrayBuffer())]).toEqual([0, 255, 254, 1]);
    expect(await (await world.call("maker", mine("/empty.txt"))).text()).toBe("");
  });

  it.each([
    ["bytes=0-2", 206, "one", "bytes 0-2/14"],
    ["bytes=4-", 206, "two\nthree\n", "bytes 4-13/14"],
    ["bytes=-6", 206, "three\n", "bytes 8-13/14"],
    ["bytes=0-99", 206, "one\ntwo\nthree\n", "bytes 0-13/14"],
    ["bytes=13-13", 206, "\n", "bytes 13-13/14"],
    ["bytes=14-", 416, "", "bytes */14"],
    ["bytes=0-0,2-3", 200, "one\ntwo\nthree\n", null],
    ["lines=0-1", 200, "one\ntwo\nthree\n", null],
    ["bytes=5-2", 200, "one\ntwo\nthree\n", null],
  ] as const)("answers the range %s with %i", async (range, status, body, contentRange) => {
    const answer = await world.call("maker", mine("/notes/a.md"), { headers: { range } });
    expect([answer.status, await answer.text(), answer.headers.get("content-range")]).toEqual([status, body, contentRange]);
  });

  it("answers 304 for the same version, also a weak tag, and the whole file when If-Range names another", async () => {
    const etag = (await world.call("maker", mine("/notes/a.md"))).headers.get("etag") ?? "";
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"])
      expect((await world.call("maker", mine("/notes/a.md"), { headers: { "if-none-match": tag } })).status).toBe(304);
    expect((await world.call("maker", mine("/notes/a.md"), { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    expect((await world.call("maker", mine("/notes/a.md"), { headers: { range: "bytes=0-2", "if-range": '"other"' } })).status).toBe(200);
    expect((await world.call("maker", mine("/notes/a.md"), { headers: { range: "bytes=0-2", "if-range": etag } })).status).toBe(206);
  });

  it("gives numbered lines as JSON with what the caller may do", async () => {
    const answer = (await (await world.call("maker", `${mine("/notes/a.md")}?offset=2&limit=1`)).json()) as Record<string, unknown>;
    expect(answer).toMatchObject({ path: "/notes/a.md", totalLines: 3, nextOffset: 3, lines: [{ number: 2, text: "two" }], can: { edit: false } });
  });

  it("lists a directory and the whole tree, by pages, without anyone's machine files", async () => {
    const names: string[] = [];
    for (let after = ""; ;) {
      const page = (await (await world.call("maker", `/v1/agents/${agents.mine.id}/files?limit=2&after=${encodeURIComponent(after)}`)).json()) as {
        entries: { name: string }[];
        next?: string;
      };
      names.push(...page.entries.map(({ name }) => name));
      if (page.next === undefined) break;
      after = page.next;
    }
    expect(names).toEqual(["Test File #2?&+%20.md", "blob.bin", "empty.txt", "notes", "page.html", "x.svg"]);
    const tree = (await (await world.call("maker", `/v1/agents/${agents.mine.id}/files?recursive=true&path=/notes`)).json()) as { entries: { path: string }[] };
    expect(tree.entries.map(({ path }) => path)).toEqual(["/notes/a.md", "/notes/b.md"]);
    const counted = (await (await world.call("maker", `/v1/agents/${agents.mine.id}/files?counts=true`)).json()) as {
      entries: { name: string; count?: unknown }[];
    };
    expect(counted.entries.find(({ name }) => name === "notes")?.count).toEqual({ files: 2, more: false });
  });

  it("reads every listed name back by its encoded segments", async () => {
    const tree = (await (await world.call("maker", `/v1/agents/${agents.mine.id}/files?recursive=true`)).json()) as {
      entries: { path: string; sizeBytes: number }[];
    };
    for (const { path, sizeBytes } of tree.entries) {
      const answer = await world.call("maker", mine(path));
      expect([path, answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([path, 200, sizeBytes]);
    }
  });

  it("refuses a query it does not know and one given twice", async () => {
    for (const query of ["limits=1", "limit=1&limit=2", "limit=x", "limit=0", "recursive=yes", "path=%zz"]) {
      expect([query, (await world.call("maker", `/v1/agents/${agents.mine.id}/files?${query}`)).status]).toEqual([query, 400]);
    }
  });
});

describe("sessions", () => {
  const result = `/large_tool_results/${sessions.makers.id}/call-1`;

  it("hides a stored result without its session, and remakes its preview with it", async () => {
    expect((await world.call("maker", mine(result))).status).toBe(404);
    const preview = (await (await world.call("maker", `${mine(result)}?session_id=${sessions.makers.id}&view=preview`)).json()) as Record<string, unknown>;
    expect(preview).toMatchObject({
      totalLines: 40,
      cut: false,
      shown: [
        { from: 1, to: 5 },
        { from: 36, to: 40 },
      ],
    });
    expect(preview["text"]).toContain("row 39");
  });

  it("lists a person's own sessions and never names another's, also not as the start of the next page: `next` was the id of a hidden one", async () => {
    for (let limit = 1; limit <= 3; limit++) {
      const list = await (await world.call("maker", `/v1/agents/${agents.mine.id}/sessions?limit=${limit}`)).text();
      expect(list).toContain(sessions.makers.id);
      expect(list).not.toContain(sessions.owners.id);
    }
  });

  it("shows another person's session to owners only, and 404 looks alike for foreign, unknown and malformed ones", async () => {
    const target = `/v1/agents/${agents.mine.id}/files?recursive=true&session_id=`;
    expect((await world.call("owner", target + sessions.owners.id)).status).toBe(200);
    const refused = await Promise.all(
      [sessions.owners.id, sessions.foreign.id, sessions.ofTheirs.id, "00000000-0000-4000-8000-000000000000", "nonsense", ""].map(async (id) => {
        const answer = await world.call("maker", target + id);
        return `${answer.status} ${await answer.text()}`;
      }),
    );
    expect(new Set(refused).size).toBe(1);
    expect(refused[0]).toMatch(/^404 /);
  });
});

describe("searching and packing", () => {
  it("greps and globs", async () => {
    const grep = (await (await world.call("maker", `/v1/agents/${agents.mine.id}/grep?pattern=t.o`)).json()) as { matches: { path: string; line: number }[] };
    expect(grep.matches).toEqual([expect.objectContaining({ path: "/notes/a.md", line: 2 })]);
    const glob = (await (await world.call("maker", `/v1/agents/${agents.mine.id}/glob?pattern=*.md&path=/notes`)).json()) as { paths: string[] };
    expect(glob.paths).toEqual(["/notes/a.md", "/notes/b.md"]);
    expect((await world.call("maker", `/v1/agents/${agents.mine.id}/grep?pattern=(`)).status).toBe(400);
    const told = async (query: string): Promise<unknown> =>
      ((await (await world.call("maker", `/v1/agents/${agents.mine.id}/${query}`)).json()) as { detail: unknown }).detail;
    // It said "maxCount must be", and "expected string, received undefined".
    expect(await told("grep?pattern=x&limit=1001")).toBe("The query's limit: must be a whole number from 1 to 1000.");
    expect(await told("glob")).toBe("The query's pattern: is missing.");
  });

  it("streams the tree as a tar archive", async () => {
    const bytes = Buffer.from(await (await world.call("maker", `/v1/agents/${agents.mine.id}/tree.tar?path=/notes`)).arrayBuffer());
    expect(bytes.length % 512).toBe(0);
    const entries = untar(bytes);
    expect(entries.map(({ name, text }) => [name, text])).toEqual([
      ["notes/a.md", "one\ntwo\nthree\n"],
      ["notes/b.md", "bee\n"],
    ]);
    const { updatedAt } = (await (await world.call("maker", `${mine("/notes/a.md")}?view=info`)).json()) as { updatedAt: string };
    expect(entries[0]?.modifiedAt.toISOString()).toBe(updatedAt);
    expect(bytes.subarray(-1024).every((byte) => byte === 0)).toBe(true);
  });
});
