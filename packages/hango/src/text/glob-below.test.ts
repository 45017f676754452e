import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globBelow } from "./glob-below.ts";
import { matchGlob, parseGlob } from "./glob.ts";

const name: fc.Arbitrary<string> = fc.constantFrom("a", "b", "ab", "x.md", "\u{1F600}");
const path = (least: number): fc.Arbitrary<string> => fc.array(name, { minLength: least, maxLength: 4 }).map((names) => names.join("/"));
const segment: fc.Arbitrary<string> = fc.constantFrom("a", "b", "*", "**", "a*", "?", "{a,b}", "{a/b,b}", "*.md", "a**");
const pattern: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("", "/"), fc.array(segment, { minLength: 1, maxLength: 5 }))
  .map(([start, segments]) => start + segments.join("/"));

describe("a glob below a directory", () => {
  it.each([
    ["a/*.md", "a", "x.md", true],
    ["a/*.md", "b", "x.md", false],
    ["*.md", "a/b", "c/x.md", true],
    ["**/x.md", "a", "x.md", true],
    ["a/**", "a", "x.md", true],
    ["a", "a", "a", true],
    ["/a", "a", "a", false],
    ["{a,b}/c/{d,e}", "b/c", "e", true],
  ])("%s below %s: %s %s", (glob, directory, rest, matches) => {
    const left = globBelow(parseGlob(glob), directory);
    expect(left !== undefined && matchGlob(left, rest)).toBe(matches);
  });

  it("matches the rest of a path exactly when the pattern matches the whole", () => {
    fc.assert(
      fc.property(pattern, path(1), path(1), (glob, directory, rest) => {
        const left = globBelow(parseGlob(glob), directory);
        expect(left !== undefined && matchGlob(left, rest)).toBe(matchGlob(parseGlob(glob), `${directory}/${rest}`));
      }),
      { numRuns: 2000 },
    );
  });

  it("never has more ways than the pattern has segments", () => {
    const left = globBelow(parseGlob("**/a/**/a/**/a/**/a/**/a/**"), Array.from({ length: 31 }, () => "a").join("/"));
    expect(left?.alternatives.length).toBeLessThanOrEqual(12);
  });
});
