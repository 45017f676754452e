import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { completionScript } from "./completion.ts";
import { createProgram } from "./program.ts";

/** What bash itself would offer for the last of these words. */
function offered(...words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const script = `${completionScript(createProgram(), "bash")}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _hango; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script]).toString().trim().split("\n");
}

describe("completion", () => {
  it("in bash offers commands, subcommands and options of where one is", () => {
    expect(offered("hango", "gr")).toEqual(["grep"]);
    expect(offered("hango", "")).toEqual(expect.arrayContaining(["ls", "migrate", "doctor", "--version"]));
    expect(offered("hango", "migrate", "")).toEqual(expect.arrayContaining(["up", "down", "status"]));
    expect(offered("hango", "migrate", "down", "--")).toEqual(expect.arrayContaining(["--steps", "--all", "--yes", "--db"]));
    expect(offered("hango", "grep", "--db", "pglite:./x", "--ign")).toEqual(["--ignore-case"]);
    expect(offered("hango", "completion", "z")).toEqual(["zsh"]);
  });

  it.each(["bash", "zsh", "fish"] as const)("for %s names every command and long option", (shell) => {
    const script = completionScript(createProgram(), shell);
    for (const command of createProgram().commands) {
      expect(script).toContain(command.name());
      for (const { long } of command.options) expect(script).toContain(shell === "fish" ? `-l ${long?.slice(2)}` : long);
    }
  });
});
