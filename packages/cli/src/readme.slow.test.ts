import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, HANGO_BIN, userEnvironment } from "./built.test-support.ts";
import { shellLines } from "./readme.test-support.ts";

const root = resolve(import.meta.dirname, "../../..");
let clone = "";

beforeAll(async () => {
  await ensureBuilt();
  clone = mkdtempSync(join(tmpdir(), "hango-readme-"));
  cpSync(join(root, "docs"), join(clone, "docs"), { recursive: true });
  mkdirSync(join(clone, "node_modules/.bin"), { recursive: true });
  symlinkSync(HANGO_BIN, join(clone, "node_modules/.bin/hango"));
}, 300_000);
afterAll(() => rmSync(clone, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** As a person's shell runs it; npm asks no registry. */
function shell(line: string): Promise<Ran> {
  return new Promise((settle) => {
    execFile("sh", ["-c", line], { cwd: clone, env: userEnvironment({ npm_config_offline: "true", npm_config_yes: "false" }) }, (error, stdout, stderr) =>
      settle({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe("the README's commands", () => {
  it("work in the order they stand in, and the exported tree differs by the edit alone", async () => {
    const lines = shellLines(readFileSync(join(root, "README.md"), "utf8"), "run");
    expect(lines.length).toBeGreaterThan(6);
    const ran = new Map<string, Ran>();
    for (const line of lines) {
      const result = await shell(line);
      expect(result, line).toMatchObject({ code: line.startsWith("diff ") ? 1 : 0 });
      ran.set(line.split(" ").slice(0, 3).join(" "), result);
    }
    expect(ran.get("npx hango import")?.stdout).toMatch(/^imported \d+ new files/);
    expect(ran.get("diff -r docs")?.stdout).toBe(
      "diff -r docs/vocabulary.md .hango/docs-copy/vocabulary.md\n1c1\n< # Vocabulary: one word, one meaning\n---\n> # Vocabulary: a word has one meaning\n",
    );
  }, 300_000);
});

describe("the demo's last words", () => {
  it("are commands that work as they are printed", async () => {
    const demo = await shell("npx hango demo docs --store '.hango/the demo'");
    expect(demo.code, demo.stderr).toBe(0);
    const commands = demo.stdout.split("\n").flatMap((line) => /^ {2}(npx hango .*)$/.exec(line)?.[1] ?? []);
    expect(commands.map((line) => line.split(" ")[2])).toEqual(["grep", "cat", "export", "usage"]);
    const [grep, cat, exported, usage] = await commands.reduce<Promise<readonly Ran[]>>(
      async (before, line) => [...(await before), await shell(line)],
      Promise.resolve([]),
    );
    expect([grep, cat, exported, usage].map((ran) => ran?.code)).toEqual([0, 0, 0, 0]);
    expect(cat?.stdout).toContain("the demo agent was here, and looked twice (a colleague agrees)");
    expect(exported?.stdout).toMatch(/^exported \d+ files/);
    expect(usage?.stdout).toMatch(/^files +\d+/);
  }, 300_000);
});
