import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileTools, isHangoError } from "hango";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type DirectoryOptions, type Workspace, openDirectory } from "./workspace.ts";

let directory = "";
let open: Workspace | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "hango-workspace-"));
  await writeFile(join(directory, "a.txt"), "one\n");
});
afterEach(async () => {
  await open?.close();
  open = undefined;
  await rm(directory, { recursive: true, force: true });
});

async function workspace(options: Partial<DirectoryOptions> = {}): Promise<Workspace> {
  return (open = await openDirectory(directory, { exclude: [], ignore: true, ...options }));
}

describe("a workspace over a directory", () => {
  it("holds changes back until they are committed, and a large result shows in no diff", async () => {
    const { session, overlay } = await workspace();
    const text = Array.from({ length: 20_000 }, (_, i) => `row ${i}: something`).join("\n");
    const result = await session.offload({ isError: false, forModel: text }, { toolCallId: "1", toolName: "query" });
    const offload = result.details?.["offload"] as { readonly path: string; readonly saved: boolean };
    expect(offload.saved).toBe(true);
    expect((await session.fs.read(offload.path, { limit: 1 })).lines[0]?.text).toBe("row 0: something");
    await session.fs.edit("/a.txt", "one", "two");
    await session.fs.write("/new/b.txt", "b\n");
    expect((await overlay.changes()).map(({ kind, path }) => `${kind} ${path}`)).toEqual(["modify a.txt", "create new/b.txt"]);
    expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\n");
    await overlay.commit();
    expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("two\n");
    expect(await readdir(directory)).toEqual(["a.txt", "new"]);
  });

  it("lets the agent write no machine file, and none that is reserved", async () => {
    const { session, overlay } = await workspace();
    for (const path of ["/large_tool_results/x.txt", "/conversation_history/x.md", "/Large_Tool_Results/y.txt", "/memories/m.md", "/skills/s.md"])
      await expect(session.fs.write(path, "x")).rejects.toSatisfy((error) => isHangoError(error, "forbidden"));
    expect(await overlay.changes()).toEqual([]);
  });

  it("hides what is ignored or excluded from every tool, unless told otherwise", async () => {
    await mkdir(join(directory, "secrets"));
    await writeFile(join(directory, "secrets/key"), "CANARY\n");
    await writeFile(join(directory, ".env"), "CANARY\n");
    await writeFile(join(directory, ".gitignore"), ".env\n");
    const hidden = await workspace({ exclude: ["/secrets"] });
    expect((await hidden.session.fs.glob("**")).paths).toEqual(["/.gitignore", "/a.txt"]);
    expect((await hidden.session.fs.grep("CANARY")).matches).toEqual([]);
    for (const path of ["/.env", "/secrets/key"]) await expect(hidden.session.fs.read(path)).rejects.toSatisfy((error) => isHangoError(error, "forbidden"));
    await hidden.close();
    const all = await workspace({ ignore: false });
    expect((await all.session.fs.grep("CANARY")).matches.map(({ path }) => path)).toEqual(["/.env", "/secrets/key"]);
  });

  it("refuses at once what could never be committed: a write to .git held up the commit of all other changes", async () => {
    await mkdir(join(directory, ".git"));
    await symlink("/etc", join(directory, "outside"));
    await symlink("a.txt", join(directory, "link.txt"));
    const { session, overlay } = await workspace();
    for (const path of ["/.git/config", "/.GIT/hooks/x", "/sub/.git/x", "/git~1/x", "/outside/passwd", "/link.txt"])
      await expect(session.fs.write(path, "x")).rejects.toSatisfy((error) => isHangoError(error, "forbidden"));
    await expect(session.fs.delete("/link.txt")).rejects.toSatisfy((error) => isHangoError(error, "forbidden"));
    await session.fs.delete("/a.txt");
    await session.fs.write("/a.txt/b.txt", "a directory now\n");
    expect((await overlay.changes()).map(({ kind, path }) => `${kind} ${path}`)).toEqual(["delete a.txt", "create a.txt/b.txt"]);
    expect((await readdir(directory)).toSorted()).toEqual([".git", "a.txt", "link.txt", "outside"]);
    await overlay.commit();
    expect(await readFile(join(directory, "a.txt/b.txt"), "utf8")).toBe("a directory now\n");
  });

  it("has seven tools", async () => {
    const { session } = await workspace();
    expect(fileTools(session).map(({ name }) => name)).toEqual(["ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete_file"]);
  });

  it("is refused where links can't be kept out, in the words of the command line, unless --accept-link-races is given", async () => {
    vi.stubGlobal("process", Object.create(process, { platform: { value: "darwin" } }));
    try {
      await expect(workspace()).rejects.toMatchObject({
        code: "unsupported",
        message: expect.stringMatching(/^On darwin, .*--accept-link-races\.$/) as unknown,
      });
      const { session } = await workspace({ acceptLinkRaces: true });
      expect((await session.fs.read("/a.txt")).lines[0]?.text).toBe("one");
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
