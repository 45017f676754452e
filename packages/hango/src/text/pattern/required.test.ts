import { describe, expect, it } from "vitest";
import { parsePattern } from "./pattern.ts";
import { literalText } from "./required.ts";

describe("the required literal", () => {
  it.each([
    ["foo", "foo"],
    ["foo.*barbaz", "barbaz"],
    ["^foo$", "foo"],
    ["fo\\bo", "foo"],
    ["(foo)bar", "foobar"],
    ["(?:foo)+", "foo"],
    ["(?:foo)*ba", "ba"],
    ["(?:foo)?", ""],
    ["x(?:foo){2}y", "xfoofooy"],
    ["x(?:foo){2,3}y", "foo"],
    ["foo|bar", ""],
    ["(foo|foo)x", "x"],
    ["a{3}b", "aaab"],
    ["a[bc]def", "def"],
    ["(?i)foo_123", "_123"],
    ["\\d+", ""],
    ["😀é", "😀é"],
  ])("of %j is %j", (source, expected) => {
    expect(parsePattern(source).required).toBe(expected);
  });

  it("is the whole pattern only when that is nothing but one string", () => {
    const text = (source: string): string | undefined => literalText(parsePattern(source).tree);
    expect(text("foo")).toBe("foo");
    expect(text("f(?:o)o")).toBe("foo");
    for (const source of ["^foo", "fo{2}", "f.o", "foo|", "\\bfoo", "(?i)foo", "()"]) expect(text(source)).toBeUndefined();
  });
});
