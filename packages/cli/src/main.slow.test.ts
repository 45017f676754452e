import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, userEnvironment } from "./built.test-support.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../../..");
const hango = async (...args: readonly string[]): Promise<string> =>
  (
    await run(process.execPath, [join(root, "packages/cli/bin/hango.mjs"), ...args], {
      cwd: root,
      env: userEnvironment(),
    })
  ).stdout;

beforeAll(ensureBuilt, 300_000);

describe("hango demo, the built binary", () => {
  let home = "";
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "hango-demo-"));
  });
  afterAll(async () => {
    await rm(home, { recursive: true, force: true });
  });

  it("shows the loop: the offload, the conflict and the recovery; and the second run finds the first one's store", async () => {
    const store = join(home, "store");
    const first = await hango("demo", "--store", store);
    expect(first).toContain("(new: Postgres in this process, on disk)");
    for (const tool of ["ls", "grep", "read_file", "edit_file", "project_report"]) expect(first).toMatch(new RegExp(`^ +\\d+ {2}${tool} `, "m"));
    expect(first).toMatch(/[\d,]+ tokens before → \d{1,3} after/);
    expect(first).toMatch(/Error \(conflict\).*\n.*What changed:/);
    expect(first).toContain("(a colleague agrees)");
    expect(first).toMatch(/found +(more than )?[\d,]+ lines? in [\d,]+ files?, of [\d,]+ files, in \d+ ms/);
    expect(first).toMatch(/equal +[\d,]+ files, byte for byte/);
    expect(first).toContain("│ +[run 1] the demo agent was here, and looked twice (a colleague agrees)");
    expect(first).toMatch(/on disk +\d+ MB/);
    expect(first).toMatch(/the model saw +[\d,]+ tokens of results in \d+ calls; without offload, \d{2,3},\d{3}\n/);
    expect(first).toMatch(/events recorded +[\d,]+\n/);
    const picture = await readFile(join(root, "docs/demo.svg"), "utf8");
    for (const title of ["The agent's turn", "The tree, exported again and compared with yours", "What is in the store now", "Go on from here"]) {
      expect(first).toContain(`\n${title}\n`);
      expect(picture, "run `npm run picture`").toContain(`>${title}<`);
    }
    const second = await hango("demo", "--store", store);
    expect(second).toContain("(found as 1 earlier run left it)");
    expect(second).toMatch(/imported +0 files/);
    expect(second).toContain("[run 1] the demo agent was here, and looked twice (a colleague agrees)");
  });

  it("shows the conflict on a small tree too, twice, in a store that holds another directory's files, and changes no file on disk", async () => {
    const store = join(home, "store");
    const small = join(home, "small");
    await mkdir(small, { recursive: true });
    await writeFile(join(small, "readme.md"), "A single small prose file.\n");
    for (const run of [1, 2]) {
      const screen = await hango("demo", small, "--store", store);
      expect(screen).toContain(run === 1 ? "(found; the first run on this directory)" : "(found as 1 earlier run left it)");
      expect(screen).toContain(`[run ${run}] the demo agent was here, and looked twice (a colleague agrees)`);
      expect(screen).toMatch(/Error \(conflict\)/);
      expect(screen).not.toMatch(/before →|this run's results/);
      expect(screen).toContain("1 file, ");
      expect(screen).toMatch(/equal +0 files, byte for byte\n/);
      expect(screen).toContain(`1 file: 1 modified; +${run} −0 lines`);
    }
    expect(await readFile(join(small, "readme.md"), "utf8")).toBe("A single small prose file.\n");
  });

  it("says what is missing, in one line, when a real model has no key", async () => {
    await expect(hango("demo", "--store", join(home, "other"), "--model", "openai/gpt-5")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^hango: .*AI_GATEWAY_API_KEY.*\n$/) as unknown,
    });
  });

  it("says so when the directory is not there", async () => {
    await expect(hango("demo", join(home, "nowhere"), "--store", join(home, "third"))).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringContaining("does not exist") as unknown,
    });
    expect(existsSync(join(home, "third"))).toBe(false);
  });
});
