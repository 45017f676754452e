import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { applyCommand } from "./apply-command.ts";

const top = mkdtempSync(join(tmpdir(), "hango-apply-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const patch = join(top, "the agent's.patch");
writeFileSync(patch, "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-one\n+two\n");

function project(path: string): string {
  const directory = join(top, path);
  mkdirSync(join(directory, "src"), { recursive: true });
  writeFileSync(join(directory, "src/a.ts"), "one\n");
  return directory;
}

/** As a person types it, somewhere else. */
function applied(directory: string): string {
  execFileSync("sh", ["-c", applyCommand(directory, patch)], { cwd: top });
  return readFileSync(join(directory, "src/a.ts"), "utf8");
}

describe("the command that applies a patch", () => {
  it("works outside of a repository, at its top, and below it, where “git apply” alone ends with 0 and changes nothing", () => {
    expect(applied(project("none"))).toBe("two\n");
    const repository = project("repo");
    execFileSync("git", ["init", "-q"], { cwd: repository });
    expect(applied(repository)).toBe("two\n");
    expect(applied(project("repo/packages/a b"))).toBe("two\n");
    const linked = project("repo/packages/c");
    symlinkSync(linked, join(top, "link"));
    expect(applied(join(top, "link"))).toBe("two\n");
  });

  it("is short where the directory is the current one", () => {
    expect(applyCommand(process.cwd(), "x.patch", "--reject")).toMatch(/^git apply --reject( --directory=\S+)? x\.patch$/);
  });
});
