import { describe, expect, it } from "vitest";
import { globEnds, hasEnds } from "./glob-ends.ts";
import { globToPostgres, matchGlob, parseGlob } from "./glob.ts";

describe("globEnds", () => {
  it.each([
    ["**", "", [""]],
    ["*", "", [""]],
    ["*.md", "", [".md"]],
    ["**/*.md", "", [".md"]],
    ["/**/*.md", "", [".md"]],
    ["**/**/*.md", "", [".md"]],
    ["docs/**", "docs/", [""]],
    ["/docs/**", "docs/", [""]],
    ["a/b/**/*.ts", "a/b/", [".ts"]],
    ["package.json", "", ["/package.json"]],
    ["**/package.json", "", ["/package.json"]],
    ["a/**/😀", "a/", ["/😀"]],
    ["**/*.{ts,tsx,js}", "", [".ts", ".tsx", ".js"]],
    ["{*.md,README}", "", [".md", "/README"]],
    ["{*.md,**}", "", [""]],
    ["src/**/*[id].ts", "src/", ["[id].ts"]],
    ["*\\*", "", ["*"]],
  ])("of %j are %j and %j, and they are all it says", (pattern, head, tails) => expect(globEnds(parseGlob(pattern))).toEqual({ head, tails }));

  it.each([
    "/a",
    "a/b",
    "/*",
    "/*.md",
    "docs/*",
    "docs/*.md",
    "a*.md",
    "*a*",
    "?",
    "*?",
    "**/docs/**",
    "**/a/b",
    "a/**/b/*",
    "*/**",
    "d?/**",
    "{a/**,b/**}",
    "{*.md,/a}",
  ])("of %j say too little", (pattern) => expect(globEnds(parseGlob(pattern))).toBeUndefined());

  it("match what the regular expression matches, on every short path", () => {
    const names = ["a", "b", "aa", ".a", "b.a", "a.b", "a.a"];
    const paths = names.flatMap((x) => [x, ...names.flatMap((y) => [`${x}/${y}`, ...names.map((z) => `${x}/${y}/${z}`)])]);
    const patterns = ["**", "*a", "*.a", "**/*a.a", "a/**", "a/a/**", "a/**/a", "a/**/*a", "a/**/*.a", "a.a", "**/a", "{*.a,b}", "{*.a,*.b,a}", "a/**/{a,*.b}"];
    for (const pattern of patterns) {
      const parsed = parseGlob(pattern);
      const ends = globEnds(parsed);
      if (ends === undefined) throw new Error(`${pattern} has more than ends`);
      const regex = new RegExp(globToPostgres(parsed) ?? "", "u");
      for (const path of paths) {
        expect([path, hasEnds(ends, path)]).toEqual([path, regex.test(path)]);
        // As the server tests it: with the slash before the path, by the range of the head and by the tails alone.
        expect(`/${path}`.startsWith(`/${ends.head}`) && ends.tails.some((tail) => `/${path}`.endsWith(tail))).toBe(matchGlob(parsed, path));
      }
    }
  });
});
