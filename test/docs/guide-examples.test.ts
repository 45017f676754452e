import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileSystem, memoryStorage, uuidFor, type ApprovalRequest } from "hango";
import { describe, expect, it } from "vitest";
import { openCareful } from "../../examples/ask-first.ts";
import { openProject } from "../../examples/mounts.ts";
import { corpus } from "../../examples/open-corpus.ts";
import { filesBelowApi } from "../../examples/own-server.ts";
import { writeToday } from "../../examples/real-directory.ts";
import { agents, directory, people } from "../http/world.ts";

describe("the examples of the guides run", () => {
  it("real-directory: the file is in the directory", async () => {
    const place = mkdtempSync(join(tmpdir(), "hango-docs-"));
    try {
      await writeToday(place);
      expect(readFileSync(join(place, "notes/today.md"), "utf8")).toBe("# Today\n");
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it("open-corpus: the files are there, and can't be changed", async () => {
    const fs = createFileSystem(corpus);
    expect((await fs.read("/faq.md")).totalLines).toBe(3);
    await expect(fs.write("/faq.md", "x")).rejects.toMatchObject({ code: "read_only" });
  });

  it("mounts: the project is written, the documents are not", async () => {
    const project = memoryStorage();
    const { fs } = openProject(project, { "a.md": "text\n" }, uuidFor("a run"));
    await fs.write("/src/a.ts", "export {};\n");
    expect((await project.list()).map(({ path }) => path)).toEqual(["src/a.ts"]);
    await expect(fs.write("/docs/a.md", "x")).rejects.toMatchObject({ code: "read_only" });
  });

  it("ask-first: denies, allows and asks, with a diff", async () => {
    const storage = memoryStorage();
    await storage.write("secrets/key", new TextEncoder().encode("s"));
    const asked: ApprovalRequest[] = [];
    const { fs } = openCareful(storage, uuidFor("a run"), async (request) => {
      asked.push(request);
      return request.path !== "/notes/no.md";
    });
    await expect(fs.read("/secrets/key")).rejects.toMatchObject({ code: "forbidden" });
    expect((await fs.glob("**")).paths).toEqual([]);
    await fs.write("/src/a.ts", "x\n");
    await fs.write("/notes/yes.md", "x\n");
    await fs.write("/memories/AGENTS.md", "x\n");
    await expect(fs.write("/notes/no.md", "x\n")).rejects.toMatchObject({ code: "forbidden" });
    expect(asked.map(({ operation, path, diff }) => [operation, path, diff.includes("+x")])).toEqual([
      ["write", "/notes/yes.md", true],
      ["write", "/memories/AGENTS.md", true],
      ["write", "/notes/no.md", true],
    ]);
  });

  it("own-server: answers below /api, for whom its own sign-in knows", async () => {
    const storage = memoryStorage();
    await storage.write("a.md", new TextEncoder().encode("hello\n"));
    const app = filesBelowApi({
      authenticate: async (request) => people.get(request.headers.get("x-person") as "owner"),
      agents: directory,
      storage: { name: "one", scope: () => storage },
    });
    const url = `http://localhost/api/v1/agents/${agents.mine.id}/files/a.md`;
    const known = await app.fetch(new Request(url, { headers: { "x-person": "owner" } }));
    expect([known.status, await known.text()]).toEqual([200, "hello\n"]);
    expect((await app.fetch(new Request(url))).status).toBe(401);
    app.close();
  });
});
