import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { packTar } from "modern-tar";
import { uuidFor } from "hango";
import { type Database, openDatabase, postgresStorage } from "hango/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type FreshDatabase, freshDatabase, onServer } from "../../../../test/support/fresh-database.ts";
import { ensureBuilt, HANGO_BIN, type Ran, type RunOptions, runHango, userEnvironment } from "../built.test-support.ts";

let home = "";
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "hango-transfer-"));
  await ensureBuilt();
}, 300_000);
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

/** The database of the commands; "" is their own default. */
let db = "";
const hango = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  runHango(args, { cwd: home, env: db === "" ? {} : { HANGO_DB: db }, ...options });

function put(root: string, path: string, content: string | Uint8Array, at = "2021-05-06T07:08:09.123Z"): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  utimesSync(join(root, path), new Date(at), new Date(at));
}

/** Every file with content and time. */
function treeOf(root: string): Readonly<Record<string, readonly [string, number]>> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => statSync(join(root, path)).isFile());
  return Object.fromEntries(
    files.toSorted().map((path) => [path, [readFileSync(join(root, path)).toString("base64"), statSync(join(root, path)).mtimeMs] as const]),
  );
}

const strange: readonly (readonly [string, string | Uint8Array])[] = [
  ["empty.txt", ""],
  ["crlf.txt", "a\r\nb\r\n"],
  ["no-end.txt", "no line feed"],
  ["bom.txt", "\uFEFFx"],
  ["bin.dat", Uint8Array.from({ length: 3_000 }, (_, n) => n % 256)],
  ["sp ace/[id]/a'b\"c$(d).md", "odd"],
  ["深い/ファイル 😀👩‍👩‍👧.md", "foreign"],
  [`${"long".repeat(20)}/${"name".repeat(40)}/${"x".repeat(120)}.txt`, "long"],
  ["-rf", "a name like an option"],
  ["memories/note.md", "for prompts"],
  ["a-b", "before a/"],
  ["a/b", "in a"],
];

describe("hango import and export, the built binary, on PGlite", () => {
  it("take a tree in and give it back byte for byte with its times, as a directory and as an archive", { timeout: 180_000 }, async () => {
    const root = join(home, "tree");
    for (const [path, content] of strange) put(root, path, content);
    const imported = await hango(["import", "tree"]);
    expect([imported.code, imported.stderr]).toEqual([0, ""]);
    expect(imported.stdout).toMatch(/^imported 12 new files: 3\.\d KB in [\d.]+ s, .*\/s\n$/);
    const exported = await hango(["export", "copy"]);
    expect([exported.code, exported.stderr]).toEqual([0, ""]);
    expect(treeOf(join(home, "copy"))).toEqual(treeOf(root));
    const archive = await hango(["export", "-"]);
    expect(archive.stderr).toMatch(/^hango: exported 12 files/);
    const second = await hango(["import", "-", "--agent", "second"], { input: archive.bytes });
    expect([second.code, second.stderr]).toEqual([0, ""]);
    await hango(["export", "copy2", "--agent", "second"]);
    expect(treeOf(join(home, "copy2"))).toEqual(treeOf(root));
    mkdirSync(join(home, "untarred"));
    const tar = spawn("tar", ["x", "-C", join(home, "untarred")], { stdio: ["pipe", "ignore", "inherit"] });
    tar.stdin?.end(archive.bytes);
    expect(await new Promise((resolve) => tar.on("close", resolve))).toBe(0);
    expect(treeOf(join(home, "untarred"))).toEqual(treeOf(root));
  });
});

describe("hango import and export, the built binary, on Postgres", () => {
  let server: FreshDatabase;
  let database: Database;
  const FILES = 40;
  const body = "x".repeat(500_000);
  const namespaceOf = (agent: string): { readonly tenantId: string; readonly agentId: string } => ({ tenantId: uuidFor("default"), agentId: uuidFor(agent) });
  const filesOf = async (agent: string): Promise<number> => (await postgresStorage(database).usage(namespaceOf(agent))).files;

  beforeAll(async () => {
    server = await freshDatabase(inject("postgresUrl"));
    database = await openDatabase(server.url, { migrate: true, rowLevelSecurity: false });
    db = server.url;
    for (const [path, content] of strange) put(join(home, "tree"), path, content);
  });
  afterAll(async () => {
    await database?.close();
    await server?.drop();
  });

  function start(args: readonly string[]): {
    readonly child: ChildProcess;
    readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
  } {
    const child = spawn(process.execPath, [HANGO_BIN, ...args, "--db", server.url], { cwd: home, env: userEnvironment() });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on("error", () => undefined);
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    // Not "close": of an output that nobody reads there is no end.
    const told = new Promise((resolve) => child.stderr.once("end", resolve));
    return { child, ended: Promise.all([exited, told]).then(([code]) => ({ code, stderr })) };
  }

  async function until(what: () => Promise<boolean> | boolean): Promise<void> {
    for (let tries = 0; tries < 500; tries++) {
      if (await what()) return;
      await pause(20);
    }
    throw new Error("it never came to that");
  }

  /** Most of an archive, so that the import waits for the rest. */
  async function halfAnArchive(): Promise<Uint8Array> {
    const whole = await packTar(
      Array.from({ length: FILES }, (_, n) => ({ header: { name: `f${n}`, size: body.length, type: "file" as const }, body: `${n}`.padEnd(body.length, "x") })),
    );
    return whole.subarray(0, Math.floor(whole.length * 0.75));
  }

  it("keep what differs and end with 4, pass by what is equal, and write over it when told", async () => {
    const root = join(home, "again");
    for (const name of ["same", "older", "newer"]) put(root, name, name, "2021-01-01T00:00:00Z");
    await hango(["import", "again", "--agent", "a"]);
    expect((await hango(["import", "again", "--agent", "a"])).stdout).toMatch(/^imported 0 new files.*\n3 there already, with the same content\n$/);
    put(root, "older", "changed", "2020-01-01T00:00:00Z");
    put(root, "newer", "changed", "2022-01-01T00:00:00Z");
    const kept = await hango(["import", "again", "--agent", "a"]);
    expect(kept.code).toBe(4);
    expect(kept.stdout).toContain("2 kept, though the content differs: /newer, /older\n  to write over them: --overwrite, or --if-newer");
    const newer = await hango(["import", "again", "--agent", "a", "--if-newer"]);
    expect([newer.code, newer.stdout]).toEqual([0, expect.stringMatching(/^imported 0 new files and wrote over 1:[^]*1 kept: not older/)]);
    const atomic = await hango(["import", "again", "--agent", "a", "--atomic"]);
    expect([atomic.code, atomic.stdout]).toEqual([4, ""]);
    expect(atomic.stderr).toBe(
      "hango: Nothing was stored, since all or nothing was asked for. 1 file is there with other content: /older. To write over them: --overwrite, or --if-newer for those that are older.\n",
    );
    const over = JSON.parse((await hango(["import", "again", "--agent", "a", "--overwrite", "--json"])).stdout) as unknown;
    expect(over).toMatchObject({ files: 0, replaced: 1, unchanged: 2, kept: 0 });
  });

  it("refuse what would surprise: no source, a full directory, two ways to write over, a stranger's archive", async () => {
    expect(await hango(["import", "nowhere"])).toMatchObject({ code: 3, stderr: expect.stringContaining("nowhere does not exist") as unknown });
    expect(await hango(["export", "tree"])).toMatchObject({ code: 4, stderr: expect.stringContaining("is not empty") as unknown });
    expect((await hango(["import", "tree", "--overwrite", "--if-newer"])).code).toBe(2);
    expect(await hango(["import", "-"], { input: "no archive at all" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("0 files are in.") as unknown,
    });
    const atomic = await packTar([
      { header: { name: "ok", size: 1, type: "file" }, body: "x" },
      { header: { name: "link", size: 0, type: "symlink", linkname: "ok" } },
    ]);
    expect(await hango(["import", "-", "--atomic", "--agent", "linked"], { input: atomic })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("Nothing was stored, since all or nothing was asked for. 1 can't be stored: link (a link).") as unknown,
    });
    expect(await filesOf("linked")).toBe(0);
    const reserved = await packTar([{ header: { name: "Memories/x", size: 1, type: "file" }, body: "x" }]);
    expect((await hango(["import", "-", "--atomic", "--agent", "linked"], { input: reserved })).code).toBe(1);
    for (let n = 0; n < 12; n++) put(join(home, "oversized"), `f${n}`, new Uint8Array(1_048_577));
    // It ended with 2, wrong usage, and named no setting.
    expect(await hango(["import", "oversized", "--atomic", "--agent", "linked"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ 12 can't be stored: .*\(over 1048576 bytes, HANGO_FS_MAX_FILE_BYTES\).* and 7 more\./) as unknown,
    });
    const hostile = await packTar([
      { header: { name: "../up", size: 1, type: "file" }, body: "x" },
      { header: { name: "/abs", size: 1, type: "file" }, body: "x" },
      { header: { name: "link", size: 0, type: "symlink", linkname: "/etc/passwd" } },
      { header: { name: "Memories/x", size: 1, type: "file" }, body: "x" },
      { header: { name: "twice", size: 1, type: "file" }, body: "1" },
      { header: { name: "twice", size: 1, type: "file" }, body: "2" },
    ]);
    const ran = await hango(["import", "-", "--agent", "hostile"], { input: hostile });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/4 not stored: .*parent-directory.*leading slash.*another spelling of a reserved name.*link \(a link\)/);
    expect((await hango(["cat", "/twice", "--agent", "hostile"])).stdout).toBe("2");
  });

  it("leave out and pass by what is asked, say so before and after, and put the rest where it is wanted", async () => {
    const root = join(home, "project");
    for (const path of [".git/config", "node_modules/a/index.js", "src/a.ts", "src/a.log", "src/b.md"]) put(root, path, path);
    put(root, ".gitignore", "*.log\n");
    const dry = await hango(["import", "project", "--gitignore", "--dry-run", "--agent", "p"]);
    expect(dry.stdout).toBe(
      "would read 3 files: 22 bytes; the store was not looked at\n1 would be passed by, as the rules ask\nwould leave out at any depth: .git, node_modules (--all takes node_modules)\n",
    );
    await hango(["import", "project", "--gitignore", "--into", "/in/here", "--exclude", "*.md", "--agent", "p"]);
    expect((await hango(["glob", "**", "--agent", "p"])).stdout).toBe("/in/here/.gitignore\n/in/here/src/a.ts\n");
    await hango(["export", "part", "--prefix", "/in/here/src", "--agent", "p"]);
    expect(Object.keys(treeOf(join(home, "part")))).toEqual(["in/here/src/a.ts"]);
  });

  it("end with 1 when a file is left behind that nobody asked to leave out: an import ended with 0 where an export ended with 1", async () => {
    const root = join(home, "lossy");
    put(root, "a.txt", "a");
    put(root, "large.bin", "x".repeat(1_048_577));
    symlinkSync("a.txt", join(root, "link"));
    const lossy = await hango(["import", "lossy", "--agent", "lossy"]);
    expect([lossy.code, lossy.stdout]).toEqual([
      1,
      expect.stringContaining("2 not stored: large.bin (over 1048576 bytes, HANGO_FS_MAX_FILE_BYTES), link (a link)"),
    ]);
    // A link has no content of its own.
    expect((await hango(["import", "lossy", "--agent", "lossy", "--exclude", "large.bin"])).code).toBe(0);
    const archive = await packTar([
      { header: { name: "a.txt", size: 1, type: "file" }, body: "a" },
      { header: { name: "soft", size: 0, type: "symlink", linkname: "a.txt" } },
    ]);
    expect((await hango(["import", "-", "--agent", "lossy"], { input: archive })).code).toBe(0);
    const hard = await packTar([{ header: { name: "hard", size: 0, type: "link", linkname: "a.txt" } }]);
    expect(await hango(["import", "-", "--agent", "lossy"], { input: hard })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("1 not stored: hard (a hard link to a.txt)") as unknown,
    });
    // What is kept is the graver news.
    put(root, "a.txt", "b");
    expect((await hango(["import", "lossy", "--agent", "lossy"])).code).toBe(4);
  });

  it("end with 1 when the reader of an archive goes away: “hango export - | head” ended with 0", async () => {
    await postgresStorage(database).load(namespaceOf("cut"), [{ path: "large", bytes: Buffer.alloc(400_000, "x") }]);
    const cut = spawn("bash", ["-c", `"${process.execPath}" "${HANGO_BIN}" export - --agent cut | head -c 1; exit \${PIPESTATUS[0]}`], {
      cwd: home,
      env: userEnvironment({ HANGO_DB: server.url }),
      stdio: "ignore",
    });
    expect(await new Promise((resolve) => cut.on("close", resolve))).toBe(1);
  });

  // “DOMException [AbortError]: This operation was aborted” stood above a stack of modern-tar's, each time.
  it("say one line when the reader of an archive goes away in its middle", async () => {
    const files = Array.from({ length: 40 }, (_, n) => ({ path: `f${n}`, bytes: Buffer.alloc(65_536, n) }));
    await postgresStorage(database).load(namespaceOf("cut short"), files);
    for (let run = 0; run < 5; run++) {
      const cut = spawn("bash", ["-c", `"${process.execPath}" "${HANGO_BIN}" export - --agent "cut short" | head -c 100 >/dev/null; exit \${PIPESTATUS[0]}`], {
        cwd: home,
        env: userEnvironment({ HANGO_DB: server.url }),
        stdio: ["ignore", "ignore", "pipe"],
      });
      let stderr = "";
      cut.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
      expect(await new Promise((resolve) => cut.on("close", resolve))).toBe(1);
      expect(stderr).toBe("hango: whoever read the archive has stopped reading; what they have of it has no end.\n");
    }
  });

  // “Error: ENOSPC: no space left on device, write” stood above a stack.
  it.runIf(existsSync("/dev/full"))("say so when the disk takes no more of an archive", async () => {
    await hango(["import", "tree", "--agent", "full"]);
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [HANGO_BIN, "export", "-", "--agent", "full", "--db", server.url], {
      cwd: home,
      env: userEnvironment(),
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1);
    expect(stderr).toBe("hango: the output can't be written (ENOSPC); what is there has no end.\n");
  });

  it("leave machine files out of an export, but for those of the session that is named", async () => {
    const session = uuidFor("s1");
    const storage = postgresStorage(database).scope({ tenantId: uuidFor("default"), agentId: uuidFor("m") });
    for (const path of ["a", `large_tool_results/${session}/r`, `large_tool_results/${uuidFor("s2")}/r`]) await storage.write(path, Buffer.from(path));
    await hango(["export", "without", "--agent", "m"]);
    expect(Object.keys(treeOf(join(home, "without")))).toEqual(["a"]);
    await hango(["export", "with", "--agent", "m", "--session", "s1"]);
    expect(Object.keys(treeOf(join(home, "with")))).toEqual(["a", `large_tool_results/${session}/r`]);
  });

  it("Ctrl-C names what is stored, and the same command goes on from there", async () => {
    const { child, ended } = start(["import", "-", "--agent", "stopped"]);
    child.stdin?.write(await halfAnArchive());
    await until(async () => (await filesOf("stopped")) >= 24);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    const stored = await filesOf("stopped");
    expect(code).toBe(130);
    expect(stderr).toBe(`hango: stopped. ${stored} files are in. Run the same command again to go on: files that are equal are passed by.\n`);
  });

  it("Ctrl-C of an atomic one leaves nothing, and says so", async () => {
    const { child, ended } = start(["import", "-", "--atomic", "--agent", "atomic"]);
    child.stdin?.write(await halfAnArchive());
    await until(async () => (await copying()) > 0);
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 130, stderr: "hango: stopped; nothing was stored, since all or nothing was asked for.\n" });
    expect(await filesOf("atomic")).toBe(0);
  });

  /** Other connections inside a transaction of a load. */
  async function copying(): Promise<number> {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      const { rows } = await client.query(
        "select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction' and query like '%hango_load%'",
      );
      return rows.length;
    } finally {
      await client.end();
    }
  }

  it.each([false, true])("kill -9 in the middle leaves whole chunks and exact counts, or nothing (atomic: %s)", async (atomic) => {
    const agent = `killed ${atomic}`;
    const { child, ended } = start(["import", "-", "--agent", agent, ...(atomic ? ["--atomic"] : [])]);
    child.stdin?.write(await halfAnArchive());
    await until(async () => (atomic ? (await copying()) > 0 : (await filesOf(agent)) >= 16));
    child.kill("SIGKILL");
    await ended;
    await until(async () => (await copying()) === 0);
    const there = await postgresStorage(database).scope(namespaceOf(agent)).list();
    const usage = await postgresStorage(database).usage(namespaceOf(agent));
    expect(usage).toEqual({ files: there.length, bytes: there.length * body.length });
    expect(there.length > 0).toBe(!atomic);
  });

  it("an export that is killed leaves whole files and the mark that it is not all; Ctrl-C leaves neither mark nor part", async () => {
    const files = Array.from({ length: 4_000 }, (_, n) => ({ path: `f${n}`, bytes: Buffer.from(`${n}`.padEnd(20_000, "x")) }));
    await postgresStorage(database).load(namespaceOf("out"), files);
    for (const signal of ["SIGKILL", "SIGINT"] as const) {
      const to = join(home, `out-${signal}`);
      const { child, ended } = start(["export", to, "--agent", "out"]);
      await until(() => existsSync(to) && readdirSync(to).length > 50);
      child.kill(signal);
      const { code, stderr } = await ended;
      const found = readdirSync(to);
      const whole = found.filter((name) => name.startsWith("f"));
      for (const name of whole) expect(statSync(join(to, name)).size).toBe(20_000);
      expect(whole.length).toBeLessThan(4_000);
      expect(found.includes(".hango-export-incomplete")).toBe(signal === "SIGKILL");
      if (signal === "SIGKILL") continue;
      expect(code).toBe(130);
      expect(stderr).toBe(`hango: stopped after ${whole.length.toLocaleString("en-US")} files; ${to} holds only whole files, but not all of them.\n`);
      expect(found.length).toBe(whole.length);
    }
    const again = await hango(["export", join(home, "out-SIGKILL"), "--agent", "out", "--db", server.url]);
    expect(again.stderr).toContain("holds an export that was cut short");
  });

  it("an archive that nobody reads any more ends on Ctrl-C", async () => {
    const { child, ended } = start(["export", "-", "--agent", "out"]);
    await new Promise<void>((resolve) => child.stdout?.once("data", () => resolve(void child.stdout?.pause())));
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringMatching(/stopped after [\d,]+ files?; the archive has no end/) as unknown });
  });

  it("works behind row-level security, as an ordinary role; one without temporary tables is told what to grant", async () => {
    const role = `hango_test_${Math.random().toString(36).slice(2)}`;
    await onServer(
      server.url,
      `create role ${role} login; grant usage on schema hango to ${role}; grant select, insert, update, delete on all tables in schema hango to ${role}`,
    );
    const url = new URL(server.url);
    url.username = role;
    put(join(home, "fenced"), "a/b.txt", "fenced");
    try {
      const fenced = async (...args: readonly string[]): Promise<Ran> => hango([...args, "--agent", "fenced", "--db", url.href]);
      expect(await fenced("import", "fenced")).toMatchObject({ code: 0, stderr: "" });
      expect(await fenced("import", "fenced", "--atomic")).toMatchObject({ code: 0, stderr: "" });
      expect(await fenced("export", "fenced-copy")).toMatchObject({ code: 0, stderr: "" });
      expect(treeOf(join(home, "fenced-copy"))).toEqual(treeOf(join(home, "fenced")));
      await onServer(server.url, `revoke temporary on database "${url.pathname.slice(1)}" from public`);
      expect(await fenced("import", "fenced")).toMatchObject({ code: 1, stderr: expect.stringContaining("grant temporary on database") as unknown });
    } finally {
      await onServer(server.url, `drop owned by ${role}; drop role ${role}`);
    }
  });
});
