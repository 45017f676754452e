import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGitIgnore, type GitIgnoreOptions } from "./git-ignore.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "hango-git-ignore-"));
  await writeFile(join(root, ".gitignore"), "build\n");
});
afterEach(() => rm(root, { recursive: true, force: true }));

function ignores(path: string, given: GitIgnoreOptions): boolean {
  const rules = createGitIgnore(root, given);
  rules.enter("");
  return rules.ignores(path);
}

it.runIf(process.platform === "linux")(
  "tells letters apart as git does, so that an import takes what git tracks: BUILD was left out for a rule of build",
  () => {
    expect([ignores("build", { case: "as git" }), ignores("BUILD", { case: "as git" })]).toEqual([true, false]);
  },
);

it("takes all spellings for one where something is hidden", () => {
  expect(["build", "BUILD", "Build/"].map((path) => ignores(path, { case: "ignored" }))).toEqual([true, true, true]);
});
