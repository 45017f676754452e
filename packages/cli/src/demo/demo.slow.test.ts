import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../../../..");
const hango = async (...args: readonly string[]): Promise<string> =>
  (
    await run(process.execPath, [join(root, "packages/cli/bin/hango.mjs"), ...args], {
      cwd: root,
      env: { ...process.env, NO_COLOR: "1", AI_GATEWAY_API_KEY: "" },
    })
  ).stdout;

describe("hango demo, the built binary", () => {
  let home = "";
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "hango-demo-"));
    await run("npm", ["run", "build", "-w", "@hango/cli"], { cwd: root });
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
    const second = await hango("demo", "--store", store);
    expect(second).toContain("(found as 1 earlier run left it)");
    expect(second).toMatch(/imported +0 files/);
    expect(second).toContain("[run 1] the demo agent was here, and looked twice (a colleague agrees)");
  });

  it("says what is missing, in one line, when a real model has no key", async () => {
    await expect(hango("demo", "--store", join(home, "other"), "--model", "openai/gpt-5")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hango: .*AI_GATEWAY_API_KEY.*\n$/) as unknown,
    });
  });

  it("says so when the directory is not there", async () => {
    await expect(hango("demo", join(home, "nowhere"), "--store", join(home, "third"))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("does not exist") as unknown,
    });
  });
});
