import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "hango/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, HANGO_BIN, type Ran, type RunOptions, runHango, userEnvironment } from "../built.test-support.ts";

let home = "";
const hango = (args: readonly string[], options: RunOptions = {}): Promise<Ran> => runHango(args, { cwd: home, ...options });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "hango-store-"));
  await ensureBuilt();
}, 300_000);
afterAll(() => rm(home, { recursive: true, force: true }));

describe("the store in the current directory, the built binary", { timeout: 240_000 }, () => {
  it("reading makes no database where there is none, and says how one is made", async () => {
    for (const args of [["ls"], ["cat", "/a"], ["grep", "x"], ["usage"], ["erase", "--yes"], ["migrate", "down"]]) {
      const ran = await hango(args);
      expect([ran.code, ran.stdout]).toEqual([3, ""]);
      expect(ran.stderr).toMatch(/^hango: There is no database at \.hango\/data yet\. .*hango import.*\n$/);
    }
    expect(existsSync(join(home, ".hango"))).toBe(false);
    // It ended with "ENOTDIR: not a directory, scandir" and a stack.
    const file = ["--db", `pglite:${HANGO_BIN}`];
    expect(await hango(["ls", ...file])).toMatchObject({ stdout: "", stderr: expect.stringMatching(/^hango: .*\n$/) });
    expect(await hango(["doctor", ...file])).toMatchObject({ code: 1, stderr: "" });
    // It ended with 1 where nobody read what it said.
    const unread = `"${process.execPath}" "$HANGO" nothing 2>&1 | true; echo "code \${PIPESTATUS[0]}"`;
    expect(execFileSync("bash", ["-c", unread], { cwd: home, env: userEnvironment({ HANGO: HANGO_BIN }) }).toString()).toBe("code 2\n");
  });

  it("is made by the first write, found by the next command, and named by no option", async () => {
    expect(await hango(["write", "/a.md"], { input: "one\n" })).toMatchObject({ code: 0, stderr: "" });
    expect((await hango(["cat", "/a.md"])).stdout).toBe("one\n");
    expect(existsSync(join(home, ".hango/data/PG_VERSION"))).toBe(true);
  });

  it("says that a path is the store's own where this machine has a file of that name: it said only “… does not exist”", async () => {
    const here = join(home, "docs/vocabulary.md");
    await mkdir(join(home, "docs"));
    await writeFile(here, "x");
    const hint = " A file of this machine has that name; paths are the store's own and begin at its /, where “hango ls” starts.\n";
    for (const args of [
      ["cat", here],
      ["cat", "docs/vocabulary.md"],
      ["stat", here],
      ["rm", here],
      ["ls", "docs"],
      ["edit", here, "x", "y"],
    ]) {
      const { code, stderr } = await hango(args);
      expect([code, stderr.endsWith(hint)]).toEqual([3, true]);
      expect(stderr).toMatch(/^hango: \/[^\n]* does not exist\. A file of[^\n]*\n$/);
    }
    expect((await hango(["cat", "/nowhere"])).stderr).toBe("hango: /nowhere does not exist.\n");
  });

  it("says that brackets stand for themselves where a glob finds nothing: “hango glob '[a-z].md'” printed nothing", async () => {
    const note = "hango: no file matches; brackets in a pattern stand for themselves, and {a,b} for one or the other.\n";
    expect(await hango(["glob", "[a-z].md"])).toMatchObject({ code: 0, stdout: "", stderr: note });
    expect(await hango(["glob", "*.none"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
    await hango(["write", "/[a-z].md"], { input: "one\n" });
    expect(await hango(["glob", "[a-z].md"])).toMatchObject({ code: 0, stdout: "/[a-z].md\n", stderr: "" });
    await hango(["rm", "/[a-z].md"]);
  });

  it("a directory that another process has is named with its process, exit 5; doctor says the same and ends with 1", async () => {
    const database = await openDatabase(`pglite:${join(home, ".hango/data")}`);
    try {
      expect(await hango(["ls"])).toMatchObject({ code: 5, stderr: expect.stringContaining(`process ${process.pid}`) });
      expect(await hango(["doctor"])).toMatchObject({ code: 1, stdout: expect.stringMatching(new RegExp(`^bad +lock .*process ${process.pid}`, "m")) });
    } finally {
      await database.close();
    }
    expect(await hango(["doctor"])).toMatchObject({ code: 0, stdout: expect.stringContaining("All is well.") });
  });

  it("a reader that has gone is no error, and Ctrl-C ends at once with 130 and gives the directory back", async () => {
    const lock = join(home, ".hango/data.lock");
    const stop = new AbortController();
    const stopping = hango(["ls"], { stop: stop.signal });
    while (!existsSync(lock)) await pause(1);
    stop.abort();
    // It may have listed everything before the signal came.
    expect([0, 130]).toContain((await stopping).code);
    expect((await hango(["ls"])).stdout).toBe("a.md\n");
    expect(existsSync(lock)).toBe(false);
    const script = `"${process.execPath}" "$HANGO" grep . --json | head -1; echo "codes \${PIPESTATUS[0]}"`;
    expect(execFileSync("bash", ["-c", script], { cwd: home, env: userEnvironment({ HANGO: HANGO_BIN }) }).toString()).toBe("{\ncodes 0\n");
    expect(existsSync(lock)).toBe(false);
  });
});
