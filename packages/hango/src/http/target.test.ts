import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { decodeFilePath, decodeQuery, rawTargetOf, splitTarget } from "./target.ts";

/** The path that the target's tail names, or the code it is refused with. */
function decoded(tail: string): string {
  try {
    return decodeFilePath(tail.split("/"));
  } catch (error) {
    if (isHangoError(error)) return error.code;
    throw error;
  }
}

describe("a file's path from a target", () => {
  it.each([
    ["a", "a"],
    ["a/b.md", "a/b.md"],
    ["a%20b", "a b"],
    ["a+b", "a+b"],
    ["%2B", "+"],
    ["100%25", "100%"],
    ["%252e%252e", "%2e%2e"],
    ["%252F", "%2F"],
    ["a%3Fb%23c", "a?b#c"],
    ["a;b=1,c", "a;b=1,c"],
    ["~!$&'()*,:@", "~!$&'()*,:@"],
    ["..a/b..", "..a/b.."],
    ["...", "..."],
    ["%2e%2e%2e", "..."],
    [".hidden", ".hidden"],
    ["%C3%A9", "é"],
    ["e%CC%81", "e\u0301"],
    ["%F0%9F%98%80", "😀"],
    ["%5B...slug%5D", "[...slug]"],
    ["__proto__/constructor", "__proto__/constructor"],
    ["a".repeat(255), "a".repeat(255)],
  ])("%s names %s", (tail, path) => expect(decoded(tail)).toBe(path));

  it.each([
    "",
    "/",
    "a/",
    "/a",
    "a//b",
    ".",
    "..",
    "a/..",
    "a/./b",
    "%2e",
    "%2E%2e",
    ".%2e",
    "%2e.",
    "a/%2e%2e/b",
    "%2f",
    "a%2Fb",
    "a%2f..%2fb",
    "%5c",
    "a%5C..%5Cb",
    "\\",
    "a\\b",
    "%00",
    "a%00.md",
    "%0a",
    "%0D%0A",
    "%7f",
    "%C2%85",
    "%E2%80%AE",
    "%E2%80%A8",
    "%",
    "%2",
    "%zz",
    "%E0%A4%A",
    "%c0%ae%c0%ae",
    "%e0%80%af",
    "%ed%a0%80",
    "%ff",
    "%F0%9F%98",
    "%u002e",
    "a b",
    "é",
    'a"b',
    "a<b",
    "a|b",
    "a^b",
    "a`b",
    "[a]",
    "a#b",
    "a".repeat(256),
    "a/".repeat(33) + "a",
    `${"a".repeat(200)}/${"b".repeat(200)}/${"c".repeat(200)}`,
  ])("%j is refused", (tail) => expect(decoded(tail)).toBe("invalid_path"));

  it("never names what a plain reading of the target would not, for every pair of bytes in a name", () => {
    for (let high = 0; high < 256; high++) {
      for (const low of [0x00, 0x2e, 0x2f, 0x41, 0x5c, 0x80, 0xae, 0xff]) {
        const hex = (byte: number): string => `%${byte.toString(16).padStart(2, "0")}`;
        const path = decoded(`n${hex(high)}${hex(low)}`);
        if (path === "invalid_path") continue;
        expect([path.includes("/"), path.includes("\\"), path.includes("\0")]).toEqual([false, false, false]);
        expect([...new TextEncoder().encode(path)]).toEqual([0x6e, high, low]);
      }
    }
  });
});

describe("a target", () => {
  it.each([
    ["/v1/agents?x=1?y", "/v1/agents", "x=1?y"],
    ["http://evil.example/v1/agents?x", "/v1/agents", "x"],
    ["http://evil.example", "/", ""],
    ["//evil.example/v1", "//evil.example/v1", ""],
    ["/v1/../v1/%2e%2e", "/v1/../v1/%2e%2e", ""],
    ["*", "/*", ""],
    ["", "/", ""],
  ])("%s has the path %s", (raw, path, query) => expect(splitTarget(raw, "")).toMatchObject({ path, query }));

  it("loses the base path only where it ends at a slash", () => {
    expect(["/api", "/api/v1/x", "/apiv1/x", "/v1/api"].map((raw) => splitTarget(raw, "/api").path)).toEqual(["/", "/v1/x", "/apiv1/x", "/v1/api"]);
  });

  it("is the raw one before the one of Node before the URL, where dots are resolved already", () => {
    const request = new Request("http://host/a/../b");
    expect(rawTargetOf(request, { rawTarget: "/1", incoming: { url: "/2" } })).toBe("/1");
    expect(rawTargetOf(request, { incoming: { url: "/2" } })).toBe("/2");
    expect(rawTargetOf(request)).toBe("http://host/b");
  });
});

describe("a query", () => {
  it("is decoded once, a plus being a space", () => {
    expect([...decodeQuery("a=1+2&b=%2525&c&=x&&d=%26")]).toEqual([
      ["a", "1 2"],
      ["b", "%25"],
      ["c", ""],
      ["", "x"],
      ["d", "&"],
    ]);
  });

  it.each(["a=1&a=2", "a=%", "a=%c0%ae", "%zz=1"])("%s is refused", (query) => expect(() => decodeQuery(query)).toThrow(/query/));
});
