import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HangoError } from "../errors.ts";
import {
  ancestorsOf,
  baseName,
  comparePaths,
  isBelow,
  MAX_RAW_PATH_CHARS,
  parentOf,
  parseAgentPath,
  parseDirectory,
  parseFilePath,
  toAgentPath,
  toFilePath,
  validatePath,
} from "./path.ts";

function refusal(act: () => unknown): HangoError {
  try {
    act();
  } catch (error) {
    if (error instanceof HangoError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

/** `segments` names of 255 bytes at most, `bytes` in all with their slashes. */
function pathOf(bytes: number): string {
  const names: string[] = [];
  for (let left = bytes; left > 0;) {
    const size = left > 255 ? Math.min(255, left - 2) : left;
    names.push("n".repeat(size));
    left -= size + 1;
  }
  return names.join("/");
}

describe("both forms refuse, and name the rule", () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ["a/../b", /parent-directory segment/],
    ["..", /parent-directory segment/],
    ["a/..", /parent-directory segment/],
    ["a\\b", /backslash/],
    ["..\\..\\etc", /backslash/],
    ["a\0b.txt", /NUL/],
    ["a\nb", /control character \(U\+000A\)/],
    ["a\u007fb", /control character \(U\+007F\)/],
    ["a\u0085b", /control character \(U\+0085\)/],
    ["a\u009fb", /control character/],
    ["photo\u202egnp.js", /bidirectional control character \(U\+202E\)/],
    ["a\u061cb", /bidirectional/],
    ["a\u200eb", /bidirectional/],
    ["a\u200fb", /bidirectional/],
    ["a\u202ab", /bidirectional/],
    ["a\u2066b", /bidirectional/],
    ["a\u2069b", /bidirectional/],
    ["a\u2028b", /line separator/],
    ["a\u2029b", /line separator/],
    ["a\ud800b", /lone surrogate/],
    ["a\udc00", /lone surrogate/],
    ["x\ud83d", /lone surrogate/],
  ];
  for (const [path, rule] of rows)
    it(`${JSON.stringify(path)} is refused by ${rule.source}`, () => {
      for (const error of [refusal(() => parseFilePath(path)), refusal(() => parseAgentPath(`/${path}`))]) {
        expect(error.code).toBe("invalid_path");
        expect(error.message).toMatch(rule);
        expect(`${error.message}${error.path}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/);
        expect(`${error.message}${error.path}`.isWellFormed()).toBe(true);
        expect(error.path?.startsWith("/")).toBe(true);
      }
    });

  it("what is not a string is invalid_path and never a TypeError", () => {
    for (const value of [undefined, null, 1, {}, [], true]) {
      for (const parse of [parseFilePath, parseDirectory, parseAgentPath, validatePath]) expect(refusal(() => parse(value as never)).code).toBe("invalid_path");
    }
  });

  it('is told the form that is wanted: "use an absolute path", at a door that takes relative ones', () => {
    expect(refusal(() => parseFilePath(undefined as never)).message).toBe(
      'Invalid path: not a string (undefined). A file\'s path in storage form looks like "docs/a.md".',
    );
    expect(refusal(() => parseAgentPath(null as never)).message).toBe(
      "Invalid path: not a string (null). Use an absolute path such as /docs/a.md; the root is /.",
    );
  });
});

describe("storage form is strict", () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ["", /empty path/],
    ["/a", /leading slash/],
    ["a/", /trailing slash/],
    ["a//b", /empty segment/],
    ["./a", /current-directory segment/],
    ["a/./b", /current-directory segment/],
    [".", /current-directory segment/],
  ];
  for (const [path, rule] of rows)
    it(`${JSON.stringify(path)} is refused by ${rule.source}`, () => {
      expect(refusal(() => validatePath(path)).message).toMatch(rule);
    });

  it("takes the root only as a directory", () => {
    expect(parseDirectory("")).toBe("");
    expect(parseDirectory("a/b")).toBe("a/b");
    expect(refusal(() => parseDirectory("/")).code).toBe("invalid_path");
  });
});

describe("agent form is normalised", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["/", "/"],
    ["//", "/"],
    ["/.", "/"],
    ["/./", "/"],
    ["//a/./b/", "/a/b"],
    ["///a///b", "/a/b"],
    ["/a/.", "/a"],
    ["/a..b/[...x]/..c/d..", "/a..b/[...x]/..c/d.."],
    ["/...", "/..."],
    ["/.git", "/.git"],
    ["/%2e%2e/x", "/%2e%2e/x"],
    ["/50%_x/a;b", "/50%_x/a;b"],
    ["/🏗️🧙‍♂️ x", "/🏗️🧙‍♂️ x"],
    ["/cafe\u0301.md", "/cafe\u0301.md"],
    ["/caf\u00e9.md", "/caf\u00e9.md"],
    ["/__proto__/constructor", "/__proto__/constructor"],
    ["/ a / b", "/ a / b"],
  ];
  for (const [given, normal] of rows)
    it(`${given} is ${normal}`, () => {
      expect(parseAgentPath(given)).toBe(normal);
    });

  it("refuses empty and relative paths", () => {
    expect(refusal(() => parseAgentPath("")).message).toMatch(/empty path/);
    for (const path of ["a", "a/b", "./a", " /a", "~", "C:/x"]) expect(refusal(() => parseAgentPath(path)).message).toMatch(/relative path/);
  });
});

describe("limits", () => {
  it("512 bytes count after the first slash, so both forms name the same files", () => {
    for (const [bytes, ok] of [
      [511, true],
      [512, true],
      [513, false],
    ] as const) {
      const path = pathOf(bytes);
      expect(path.length).toBe(bytes);
      if (ok) {
        expect(parseFilePath(path)).toBe(path);
        expect(parseAgentPath(`/${path}`)).toBe(`/${path}`);
      } else for (const error of [refusal(() => parseFilePath(path)), refusal(() => parseAgentPath(`/${path}`))]) expect(error.message).toMatch(/512 bytes/);
    }
  });

  it("bytes are UTF-8, also when the characters are few", () => {
    const path = (bytes: number): string => ["é".repeat(127), "é".repeat(127), "x".repeat(bytes - 510)].join("/");
    expect(parseFilePath(path(511))).toBe(path(511));
    expect(parseFilePath(path(512))).toBe(path(512));
    expect(refusal(() => parseFilePath(path(513))).message).toMatch(/512 bytes/);
    expect(refusal(() => parseAgentPath(`/${path(513)}`)).message).toMatch(/512 bytes/);
  });

  it("a name has at most 255 bytes", () => {
    for (const name of ["n".repeat(254), "n".repeat(255), "é".repeat(127), `${"😀".repeat(63)}abc`]) expect(parseFilePath(`a/${name}`)).toBe(`a/${name}`);
    for (const name of ["n".repeat(256), "é".repeat(128), "😀".repeat(64)]) {
      expect(refusal(() => parseFilePath(name)).message).toMatch(/256 bytes.*at most 255/);
      expect(refusal(() => parseAgentPath(`/a/${name}`)).message).toMatch(/at most 255/);
    }
  });

  it("a path has at most 32 segments, and a session may lower that", () => {
    const deep = (count: number): string => Array.from({ length: count }, () => "d").join("/");
    for (const count of [31, 32]) {
      expect(parseFilePath(deep(count))).toBe(deep(count));
      expect(parseAgentPath(`/${deep(count)}`)).toBe(`/${deep(count)}`);
    }
    expect(refusal(() => parseFilePath(deep(33))).message).toMatch(/33 segments.*at most 32/);
    expect(refusal(() => parseAgentPath(`/${deep(33)}`)).message).toMatch(/33 segments.*at most 32/);
    expect(refusal(() => parseAgentPath(`/${deep(33)}`, { maxDepth: 100 })).message).toMatch(/at most 32/);
    expect(parseAgentPath("/a/b", { maxDepth: 3 })).toBe("/a/b");
    expect(parseAgentPath("/a/./b//c", { maxDepth: 3 })).toBe("/a/b/c");
    expect(refusal(() => parseAgentPath("/a/b/c/d", { maxDepth: 3 })).message).toMatch(/4 segments.*at most 3/);
  });

  it("slashes that normalise away don't count, up to the raw bound", () => {
    expect(parseAgentPath(`${"/".repeat(MAX_RAW_PATH_CHARS - 1)}a`)).toBe("/a");
    expect(refusal(() => parseAgentPath(`${"/".repeat(MAX_RAW_PATH_CHARS)}a`)).message).toMatch(/512 bytes/);
  });

  it("a message stays short, whatever the path", () => {
    for (const path of ["x".repeat(1_000_000), `/${"\0".repeat(4000)}`, "/".repeat(100_000), `a/${"\u202e".repeat(500)}`]) {
      const error = refusal(() => parseAgentPath(path));
      expect(error.message.length).toBeLessThan(1000);
      expect(error.path?.length).toBeLessThan(4000);
    }
  });
});

describe("helpers", () => {
  it("change between the forms", () => {
    expect([toFilePath("/"), toFilePath("/a/b"), toAgentPath(""), toAgentPath("a/b"), toAgentPath("/a/b")]).toEqual(["", "a/b", "/", "/a/b", "/a/b"]);
  });

  it("know what is below what", () => {
    const below = [
      ["a/b", "a"],
      ["a/b/c", "a"],
      ["a", ""],
      ["a/b", "a/"],
    ].map(([path, directory]) => isBelow(path as string, directory as string));
    expect(below).toEqual([true, true, true, false]);
    for (const [path, directory] of [
      ["a", "a"],
      ["ab", "a"],
      ["ab/c", "a"],
      ["a-b/c", "a"],
      ["", ""],
      ["b/a", "a"],
      ["a/", "a"],
    ] as const)
      expect(isBelow(path, directory), `${path} below ${directory}`).toBe(false);
  });

  it("take paths apart", () => {
    expect(ancestorsOf("a/b/c")).toEqual(["a", "a/b"]);
    expect(ancestorsOf("a")).toEqual([]);
    expect([baseName("a/b.md"), baseName("b"), baseName("/a/b"), baseName("")]).toEqual(["b.md", "b", "b", ""]);
    expect([parentOf("a/b/c"), parentOf("a"), parentOf("")]).toEqual(["a/b", "", ""]);
  });

  it('orders an emoji after U+FF61: "default JS sort gives the emoji first"', () => {
    expect(["😀.txt", "\uff61.txt"].sort(comparePaths)).toEqual(["\uff61.txt", "😀.txt"]);
    expect(["a/b", "a.b", "a", "a-b", "A"].sort(comparePaths)).toEqual(["A", "a", "a-b", "a.b", "a/b"]);
  });
});

describe("properties", () => {
  const unit = fc.constantFrom("a", "b", "-", ".", "/", "0", "é", "｡", "￿", "😀", "𐀀", "\ud7ff", "\ue000", "\uffff", "漢");
  const text = fc.oneof(
    fc.array(unit, { maxLength: 12 }).map((units) => units.join("")),
    fc.string({ unit: "binary", maxLength: 20 }),
  );

  it("comparePaths equals Buffer.compare", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(comparePaths(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 5000 },
    );
  });

  it("what one form accepts the other does too, as the same file", () => {
    fc.assert(
      fc.property(text, (path) => {
        let parsed: string | undefined;
        try {
          parsed = parseFilePath(path);
        } catch (error) {
          expect((error as HangoError).code).toBe("invalid_path");
        }
        if (parsed !== undefined) {
          expect(parseAgentPath(`/${path}`)).toBe(`/${path}`);
          expect(toFilePath(toAgentPath(path))).toBe(path);
        }
        let normal: string | undefined;
        try {
          normal = parseAgentPath(`/${path}`);
        } catch (error) {
          expect((error as HangoError).code).toBe("invalid_path");
        }
        if (normal === undefined) return;
        expect(parseAgentPath(normal)).toBe(normal);
        expect(parseDirectory(toFilePath(normal))).toBe(toFilePath(normal));
        expect(ancestorsOf(toFilePath(normal)).every((directory) => isBelow(toFilePath(normal), directory))).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
