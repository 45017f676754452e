import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { agentNameOf, fromHere, shownPlace } from "./names.ts";
import { nextCommands } from "./next-commands.ts";
import { wordOf } from "./show-grep.ts";

describe("the demo's names", () => {
  it.each([
    ["/home/me/my project (2)", /^my-project-2-[0-9a-f]{6}$/],
    ["/home/me/.config", /^config-[0-9a-f]{6}$/],
    ["/", /^files-[0-9a-f]{6}$/],
    ["/home/me/日本", /^files-[0-9a-f]{6}$/],
    [`/home/me/${"long".repeat(20)}`, /^(long){6}-[0-9a-f]{6}$/],
  ])("an agent is called after its directory %s, as a shell takes it without quotes", (directory, name) => {
    expect(agentNameOf(directory)).toMatch(name);
  });

  it("two directories of one name are two agents", () => {
    expect(agentNameOf("/a/app")).not.toBe(agentNameOf("/b/app"));
  });

  it("a place is named as one would from here", () => {
    expect(fromHere(resolve(".hango/demo"))).toBe(join(".hango", "demo"));
    expect(fromHere(process.cwd())).toBe(process.cwd());
    expect(fromHere(resolve("../elsewhere"))).toBe(resolve("../elsewhere"));
    expect(shownPlace(join(homedir(), "hango-elsewhere"))).toBe(`~/hango-elsewhere`);
    expect(shownPlace(`${homedir()}-other`)).toBe(`${homedir()}-other`);
  });

  it("the commands at the end are quoted where a shell needs it", () => {
    expect(nextCommands({ store: "/tmp/my store", agent: "app-123456", word: "naïve", path: "/it's.md" }).slice(0, 2)).toEqual([
      "npx hango grep -F 'naïve' --db 'pglite:/tmp/my store' --tenant demo --agent app-123456",
      `npx hango cat '/it'\\''s.md' --db 'pglite:/tmp/my store' --tenant demo --agent app-123456`,
    ]);
  });

  it("the word to look for is the longest of the line", () => {
    expect(wordOf({ line: "export async function ask(model: LanguageModel): void {" })).toBe("LanguageModel");
    expect(wordOf({ line: "Ein Satz über Prüfungen." })).toBe("Prüfungen");
  });
});
