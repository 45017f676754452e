import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uuidFor } from "hango";
import { migrateUp, openDatabase, postgresStorage } from "hango/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../../../test/support/fresh-database.ts";
import { ensureBuilt, type Ran, type RunOptions, runHango } from "../built.test-support.ts";

let home = "";
let fresh: FreshDatabase;
const hango = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  runHango(args, { cwd: home, ...options, env: { HANGO_DB: fresh.url, ...options.env } });
const json = async (args: readonly string[]): Promise<unknown> => JSON.parse((await hango([...args, "--json"])).stdout) as unknown;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "hango-files-"));
  fresh = await freshDatabase(inject("postgresUrl"));
  await migrateUp(fresh.url);
  await ensureBuilt();
}, 300_000);
afterAll(async () => {
  await fresh.drop();
  await rm(home, { recursive: true, force: true });
});

describe("the file commands, the built binary", { timeout: 240_000 }, () => {
  it("write makes a file once; over one that exists only with --overwrite or the version", async () => {
    const first = await hango(["write", "/docs/a.md"], { input: "one\ntwo\nthree\n" });
    expect(first.stderr).toBe("");
    expect(first.stdout).toMatch(/^wrote \/docs\/a\.md \(14 bytes, version [\w.-]+\.1\)\n$/);
    const again = await hango(["write", "docs/a.md"], { input: "other" });
    expect([again.code, again.stdout]).toEqual([4, ""]);
    expect(again.stderr).toMatch(/already exists\. Write over it with --overwrite, or with --if-version/);
    expect((await hango(["cat", "/docs/a.md"])).stdout).toBe("one\ntwo\nthree\n");

    const { version } = (await json(["stat", "/docs/a.md"])) as { version: string };
    expect((await hango(["write", "/docs/a.md", "--if-version", version], { input: "1\n2\n3\n" })).code).toBe(0);
    const stale = await hango(["write", "/docs/a.md", "--if-version", version], { input: "x" });
    expect([stale.code, stale.stderr]).toEqual([4, expect.stringMatching(/not at that version any more: it is at \S+\.2\. Nothing was changed/)]);
    expect((await hango(["write", "/docs/a.md", "--overwrite"], { input: "one\ntwo\nthree\n" })).code).toBe(0);
    expect((await hango(["write", "/docs/a.md", "--overwrite", "--if-version", version], { input: "x" })).code).toBe(2);
  });

  it("write and cat keep every byte, also of what is no text, from stdin and from a file", async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 0xef, 0xbb, 0xbf, 0x1b, 10, 13]);
    await writeFile(join(home, "blob"), bytes);
    expect((await hango(["write", "/bin/one"], { input: bytes })).code).toBe(0);
    expect((await hango(["write", "/bin/two", "--file", "blob", "--content-type", "image/x"])).code).toBe(0);
    expect((await hango(["write", "/bin/empty"])).code).toBe(0);
    for (const path of ["/bin/one", "/bin/two"]) expect((await hango(["cat", path])).bytes.equals(bytes)).toBe(true);
    expect((await hango(["cat", "/bin/empty"])).bytes.length).toBe(0);
    expect(await json(["cat", "/bin/two"])).toMatchObject({
      path: "/bin/two",
      contentType: "image/x",
      sizeBytes: bytes.length,
      base64: bytes.toString("base64"),
    });
  });

  it("write refuses before anything is opened or waited for: paths, places of hango's own, sizes, missing files", async () => {
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["/a/../b"], 2, /\.\./],
      [["/Memories/x"], 1, /another spelling of the reserved \/memories\//],
      [["/large_tool_results/s/x"], 1, /only hango itself writes/],
      [["/x", "--file", "nowhere"], 3, /nowhere does not exist on this machine/],
      [["/x", "--file", "."], 2, /is a directory.*hango import/],
    ];
    for (const [args, code, message] of cases)
      expect(await hango(["write", ...args], { input: "x" })).toMatchObject({ code, stderr: expect.stringMatching(message) });
    const env = { HANGO_FS_MAX_FILE_BYTES: "4" };
    expect((await hango(["write", "/sized/4"], { input: "1234", env })).code).toBe(0);
    expect(await hango(["write", "/sized/5"], { input: "12345", env })).toMatchObject({ code: 1, stderr: expect.stringContaining("HANGO_FS_MAX_FILE_BYTES") });
    expect(await hango(["ls"], { env: { HANGO_FS_MAX_FILE_BYTES: "x" } })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^hango: HANGO_FS_MAX_FILE_BYTES="x"/),
    });
  });

  it("cat --lines shows numbered lines, whole ones, and what is not there is an error", async () => {
    const long = "x".repeat(7_000);
    await hango(["write", "/long"], { input: `a\n${long}\nc` });
    expect((await hango(["cat", "/long", "--lines", "2:"])).stdout).toBe(`     2\t${long}\n     3\tc\n`);
    expect((await hango(["cat", "/long", "--lines", "1"])).stdout).toBe("     1\ta\n");
    expect(await json(["cat", "/long", "--lines", "3:9"])).toMatchObject({ totalLines: 3, lines: [{ number: 3, text: "c" }] });
    expect((await hango(["cat", "/long", "--lines", "4:"])).code).toBe(2);
    expect((await hango(["cat", "/long", "--lines", "5:4"])).code).toBe(2);
    expect(await hango(["cat", "/nowhere"])).toMatchObject({ code: 3, stderr: "hango: /nowhere does not exist.\n", stdout: "" });
    expect((await hango(["cat", "/docs"])).code).toBe(1);
    // It said: Invalid path "": empty path.
    expect(await hango(["cat", "/"])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^hango: \/ is a directory/) });
    expect(await hango(["ls", "--agent", ""])).toMatchObject({ code: 2, stderr: expect.stringMatching(/needs a name or a UUID/) });
    expect(await hango(["export", "nowhere", "--prefix", "/nowhere"])).toMatchObject({ code: 3, stderr: "hango: /nowhere does not exist.\n" });
  });

  it("edit replaces exactly, and says in its own words why not", async () => {
    await hango(["write", "/e.md"], { input: "aa bb aa\n" });
    const twice = await hango(["edit", "/e.md", "aa", "cc"]);
    expect([twice.code, twice.stderr]).toEqual([4, expect.stringMatching(/OLD occurs 2 times .*--all/)]);
    expect(await hango(["edit", "/e.md", "zz", "cc"])).toMatchObject({ code: 4, stderr: expect.stringMatching(/^hango: The text OLD was not found/) });
    expect(await hango(["edit", "/e.md", "aa", "$&", "--all"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 replacements in \/e\.md, now version \S+\.2\n[^]*\+\$& bb \$&/),
    });
    expect((await hango(["cat", "/e.md"])).stdout).toBe("$& bb $&\n");
    expect((await hango(["edit", "/e.md", "--", "bb", "--all"])).code).toBe(0);
    expect((await hango(["cat", "/e.md"])).stdout).toBe("$& --all $&\n");
    expect(await json(["edit", "/e.md", "--if-version", "old.1", "x", "y"]).catch(() => "nothing printed")).toBe("nothing printed");
    expect((await hango(["edit", "/e.md", "--if-version", "old.1", "$&", "y"])).code).toBe(4);
  });

  it("ls, glob, grep, stat and search", async () => {
    for (const [path, text] of [
      ["/t/src/a.ts", "one\nconst Two = 2;\nthree\n"],
      ["/t/src/b.md", "two\n"],
      ["/t/[id]/é\u001b[31m.md", "TWO\n"],
    ] as const)
      expect((await hango(["write", path], { input: text })).code).toBe(path.includes("\u001b") ? 2 : 0);
    expect((await hango(["ls", "t"])).stdout).toBe("src/\n");
    expect((await hango(["ls", "-l", "/t/src"])).stdout).toMatch(/^ +25 {2}\d{4}-\S+Z {2}\S+\.1 +a\.ts\n +4 {2}\S+ {2}\S+ +b\.md\n$/);
    expect(await json(["ls", "/t/src"])).toMatchObject([{ path: "/t/src/a.ts", kind: "file", sizeBytes: 25 }, { name: "b.md" }]);
    expect((await hango(["ls", "/t/nowhere"])).code).toBe(3);
    expect((await hango(["glob", "*.{ts,md}", "/t"])).stdout).toBe("/t/src/a.ts\n/t/src/b.md\n");
    expect(await hango(["glob", "*", "/t", "--max-count", "1"])).toMatchObject({
      code: 0,
      stdout: "/t/src/a.ts\n",
      stderr: expect.stringContaining("more than 1 files"),
    });
    expect(await hango(["glob", "none*"])).toMatchObject({ code: 0, stdout: "" });
    expect((await hango(["glob", "{a"])).code).toBe(2);
    expect((await hango(["grep", "[Tt]wo", "/t", "-C", "1"])).stdout).toBe(
      "/t/src/a.ts-1-one\n/t/src/a.ts:2:const Two = 2;\n/t/src/a.ts-3-three\n--\n/t/src/b.md:1:two\n",
    );
    expect((await hango(["grep", "-il", "two", "/t"])).stdout).toBe("/t/src/a.ts\n/t/src/b.md\n");
    expect((await hango(["grep", "-F", "2;", "/t", "--include", "*.ts"])).stdout).toBe("/t/src/a.ts:2:const Two = 2;\n");
    expect(await hango(["grep", "absent", "/t"])).toMatchObject({ code: 1, stdout: "", stderr: "" });
    expect(JSON.parse((await hango(["grep", "absent", "/t", "--json"])).stdout)).toEqual({ matches: [], truncated: false, skipped: [] });
    // It said “set literal to true”, which is no option here.
    expect(await hango(["grep", "(?=x)"])).toMatchObject({ code: 2, stderr: expect.stringMatching(/\(\?=x\).* To search for the text itself, use -F\.\n$/) });
    expect((await hango(["grep", "x", "/bin"])).stderr).toContain("2 files could not be searched");
    expect((await hango(["stat", "/t/src/a.ts"])).stdout).toMatch(
      /^path +\/t\/src\/a\.ts\nkind +file\nsize +25 bytes\ntype +\S+\nversion +\S+\nchanged +\S+\n$/,
    );
    expect((await hango(["stat", "/t"])).stdout).toBe("path     /t\nkind     directory\n");
    expect(await hango(["search", "it's"])).toMatchObject({ code: 1, stderr: expect.stringContaining(String.raw`hango grep -iF 'it'\''s'`) });
  });

  it("rm deletes a file, and a directory only with -r", async () => {
    await hango(["write", "/gone/a"], { input: "x" });
    expect(await hango(["rm", "/gone"])).toMatchObject({ code: 1, stderr: expect.stringContaining("use rm -r") });
    expect((await hango(["rm", "/gone/a", "--if-version", "old.1"])).code).toBe(4);
    expect(await hango(["rm", "-r", "/gone"])).toMatchObject({ code: 0, stdout: "deleted /gone\n" });
    expect((await hango(["rm", "/gone/a"])).code).toBe(3);
    expect(await hango(["rm", "-r", "/"])).toMatchObject({ code: 2, stderr: expect.stringContaining("hango erase") });
  });

  it("tenants and agents by name are kept apart; machine files show only with their session; prune takes the old ones", async () => {
    await hango(["write", "/mine", "--agent", "other"], { input: "x" });
    expect((await hango(["ls", "--agent", "other"])).stdout).toBe("mine\n");
    expect((await hango(["ls"], { env: { HANGO_AGENT: "other" } })).stdout).toBe("mine\n");
    expect((await hango(["ls"])).stdout).not.toContain("mine");
    expect((await hango(["ls", "--tenant", uuidFor("default"), "--agent", uuidFor("other").toUpperCase()])).stdout).toBe("mine\n");

    const database = await openDatabase(fresh.url, { rowLevelSecurity: false });
    const sessionId = uuidFor("run 1");
    const storage = postgresStorage(database).scope({ tenantId: uuidFor("default"), agentId: uuidFor("other") });
    await storage.write(`large_tool_results/${sessionId}/kept`, new TextEncoder().encode("result\n"));
    await database.close();
    const own = ["--agent", "other"];
    expect((await hango(["ls", "/", ...own])).stdout).toBe("mine\n");
    expect((await hango(["cat", `/large_tool_results/${sessionId}/kept`, ...own])).code).toBe(3);
    expect((await hango(["cat", `/large_tool_results/${sessionId}/kept`, ...own, "--session", "run 1"])).stdout).toBe("result\n");
    expect((await hango(["grep", "result", ...own])).code).toBe(1);
    expect((await hango(["prune", "--older-than", "1d", ...own])).stdout).toBe("deleted 0 machine files of 0 bytes\n");
    expect((await hango(["prune", "--older-than", "0s", ...own])).stdout).toMatch(/^deleted \d+ machine files? of [\d,]+ bytes\n$/);
    expect((await hango(["cat", `/large_tool_results/${sessionId}/kept`, ...own, "--session", "run 1"])).code).toBe(3);
    expect((await hango(["cat", "/mine", ...own])).stdout).toBe("x");
    expect((await hango(["prune", "--older-than", "soon", ...own])).code).toBe(2);
  });

  it("usage, quota and erase", async () => {
    const own = ["--agent", "counted"];
    await hango(["write", "/a", ...own], { input: "x".repeat(1_500) });
    expect((await hango(["usage", ...own])).stdout).toBe("files    1, no limit\nsize     1.5 KB (1,500 bytes), no limit\n");
    expect((await hango(["quota", "--max-files", "2", ...own])).code).toBe(0);
    expect(await json(["quota", "--max-bytes", "2KB", ...own])).toEqual({ files: 1, bytes: 1500, maxFiles: 2, maxBytes: 2000 });
    expect(await hango(["write", "/b", ...own], { input: "x".repeat(501) })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("1500 of 2000 bytes in use"),
    });
    expect((await hango(["quota", "--max-files", "0", ...own])).code).toBe(1);
    expect((await hango(["quota", "--none", "--max-files", "1", ...own])).code).toBe(2);
    expect(await json(["quota", "--none", ...own])).toEqual({ files: 1, bytes: 1500 });
    const asked = await hango(["erase", ...own]);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringMatching(/erases 1 file of 1,500 bytes.*agent “counted”[^]*--yes/)]);
    expect(await json(["erase", "--yes", ...own])).toEqual({ files: 1, bytes: 1500 });
    expect(await json(["usage", ...own])).toEqual({ files: 0, bytes: 0 });
  });
});
