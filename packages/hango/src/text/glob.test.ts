import fc from "fast-check";
import { minimatch } from "minimatch";
import { describe, expect, it } from "vitest";
import { HangoError } from "../errors.ts";
import { globPrefix, globTail, globToPostgres, matchGlob, parseGlob } from "./glob.ts";

const matches = (pattern: string, path: string): boolean => matchGlob(parseGlob(pattern), path);

function refusal(pattern: unknown): HangoError {
  try {
    parseGlob(pattern as string);
  } catch (error) {
    if (error instanceof HangoError) return error;
    throw error;
  }
  throw new Error(`${String(pattern)} was accepted`);
}

describe("matchGlob", () => {
  /** pattern, what matches, what does not */
  const rows: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["*", ["a", "a/b", ".hidden"], [""]],
    ["**", ["a", "a/b/c", ".a/.b"], [""]],
    ["*.md", ["a.md", "x/y/a.md", ".md"], ["a.mdx", "a.md/b", "a.MD"]],
    ["/*.md", ["a.md"], ["x/a.md"]],
    ["//a", ["a"], ["x/a"]],
    ["**/*.md", ["readme.md", "docs/a.md", "docs/b/c.md"], ["a.txt"]],
    ["docs/**/*.md", ["docs/a.md", "docs/b/c.md"], ["readme.md", "x/docs/a.md", "docs.md"]],
    ["docs/**", ["docs/a", "docs/a/b"], ["docs", "docsX/a", "x/docs/a"]],
    ["**/docs/**", ["docs/a", "x/docs/a"], ["docs", "x/docs"]],
    ["a/**/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]],
    ["**/**", ["a", "a/b"], []],
    ["a//b", ["a/b"], ["x/a/b"]],
    ["a**b", ["ab", "axb"], ["a/b"]],
    ["a/**b", ["a/b", "a/xb"], ["a/x/b"]],
    ["***", ["a", "x/a"], []],
    ["a/***", ["a/b"], ["a/b/c"]],
    ["a?c", ["abc", "a😀c", "x/aéc"], ["ac", "abbc", "a/c"]],
    ["?.md", ["😀.md"], ["ab.md"]],
    ["*?", ["a", "😀"], []],
    ["??", ["ab", "😀😀"], ["a", "😀"]],
    ["*??", ["ab", "😀b"], ["😀"]],
    ["{a,b}", ["a", "x/b"], ["c", "{a,b}"]],
    ["{a,b/c}", ["a", "x/a", "b/c"], ["x/b/c"]],
    ["x/{,y/}z", ["x/z", "x/y/z"], ["x/yz"]],
    ["{a}", ["{a}"], ["a"]],
    ["{}", ["{}"], []],
    ["a{},{}", ["a{},{}"], ["a"]],
    ["{{a,b}}", ["{a}", "{b}"], ["a"]],
    ["{a,{b,{c,{d,e}}}}", ["a", "b", "c", "d", "e"], ["f"]],
    ["a,b}", ["a,b}"], ["a"]],
    ["*.{ts,tsx}", ["a.ts", "x/a.tsx"], ["a.js"]],
    ["*{*,a}", ["b", "x/a"], []],
    ["x/*{*,a}", ["x/b", "x/a"], ["x/b/c"]],
    ["{**,a}/b", ["b", "x/y/b", "a/b"], []],
    ["\\*", ["*"], ["a"]],
    ["\\**", ["*", "*a"], ["a"]],
    ["\\{a,b\\}", ["{a,b}"], ["a"]],
    ["{a\\,b,c}", ["a,b", "c"], ["a", "b"]],
    ["\\a\\😀", ["a😀"], []],
    ["[!abc].js", ["[!abc].js"], ["d.js", "a.js"]],
    ["src/app/[locale]/(auth)/**", ["src/app/[locale]/(auth)/page.tsx"], ["src/app/l/(auth)/page.tsx"]],
    ["**/[[...sign-in]]/page.js", ["app/[[...sign-in]]/page.js"], []],
    ["a.b/*.md", ["a.b/n.md"], ["axb/n.md"]],
    ["Program Files (x86)/r+1/*.md", ["Program Files (x86)/r+1/$a^.md"], []],
    ["50%_x/*.md", ["50%_x/n.md"], ["50AAx/n.md"]],
    ["!a", ["!a"], ["b"]],
    ["#a'\"", ["#a'\""], []],
    ["30.*BD-TEST*/**/*.md", ["30. 🏗️🧙‍♂️ BD-TEST/05. x/file.md"], []],
    ["é/**/*", ["é/foo.txt"], ["é"]],
    ["2026/07/*.md", ["2026/07/26.md"], ["inbox.md", "x/2026/07/26.md"]],
    ["/2026/07/26.md", ["2026/07/26.md"], []],
    ["...", ["...", "a/..."], [".."]],
    [".*", [".a", "x/.b"], ["a"]],
  ];
  for (const [pattern, yes, no] of rows)
    it(pattern, () => {
      const parsed = parseGlob(pattern);
      const regex = new RegExp(globToPostgres(parsed) as string, "s");
      for (const path of [...yes, ...no]) {
        expect(matchGlob(parsed, path), path).toBe(yes.includes(path));
        if (path !== "" && !/[\ud800-\udfff]/.test(path + pattern)) expect(regex.test(path), `${regex.source} on ${path}`).toBe(yes.includes(path));
        if (yes.includes(path)) expect([path.startsWith(globPrefix(parsed)), path.endsWith(globTail(parsed))], path).toEqual([true, true]);
      }
    });
});

describe("parseGlob refuses", () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ["{", /brace at character 1 is not closed/],
    ["a{b,c", /brace at character 2 is not closed/],
    ["{a,{b}", /not closed/],
    ["\\", /ends in a backslash/],
    ["a\\", /ends in a backslash/],
    ["a\\/b", /slash can't be escaped/],
    ["a/", /ends in a slash.*dir\/\*\*/],
    ["/", /ends in a slash/],
    ["a/{,b}", /ends in a slash/],
    ["{,a}", /alternatives is empty/],
    ["./a", /"\." segment/],
    ["a/./b", /"\." segment/],
    ["../a", /"\.\." segment/],
    ["a/..", /"\.\." segment/],
    ["{.,a}./b", /"\.\." segment/],
    ["a\0b", /NUL/],
    ["a\nb", /control character/],
    ["a\u202eb", /bidirectional/],
    ["a\ud800", /lone surrogate/],
  ];
  for (const [pattern, message] of rows)
    it(JSON.stringify(pattern), () => {
      const error = refusal(pattern);
      expect(error.code).toBe("invalid_pattern");
      expect(error.message).toMatch(message);
      expect(error.message).not.toMatch(/[\0\n\u202e]/);
    });

  it("an empty pattern, and what is not a string", () => {
    expect([refusal("").code, refusal("").message]).toEqual(["invalid_argument", 'The glob pattern is empty. Use a pattern such as "**/*.md".']);
    for (const pattern of [undefined, null, 5, ["*"]])
      expect([refusal(pattern).code, refusal(pattern).message]).toEqual(["invalid_argument", 'The glob pattern must be a string such as "**/*.md".']);
  });

  it("60,000 open braces at once: picomatch took 8.3 s", () => {
    const error = refusal("{".repeat(60_000));
    expect(error.code).toBe("invalid_pattern");
    expect(error.message.length).toBeLessThan(300);
  });
});

describe("limits", () => {
  it("512 bytes", () => {
    for (const pattern of ["a".repeat(511), "a".repeat(512), "é".repeat(256)]) expect(parseGlob(pattern).source).toBe(pattern);
    for (const pattern of ["a".repeat(513), `${"é".repeat(256)}a`]) expect(refusal(pattern).message).toMatch(/512 bytes/);
  });

  it("64 alternatives, counted before they are made", () => {
    const list = (count: number): string => `{${Array.from({ length: count }, (_, index) => `n${index}`).join(",")}}`;
    expect(parseGlob(list(63)).alternatives).toHaveLength(63);
    expect(parseGlob(list(64)).alternatives).toHaveLength(64);
    expect(refusal(list(65)).message).toMatch(/more than 64 alternatives/);
    expect(parseGlob(`a${"{b,c}".repeat(6)}`).alternatives).toHaveLength(64);
    expect(refusal(`a${"{b,c}".repeat(7)}`).message).toMatch(/more than 64/);
    expect(refusal("{b,c}".repeat(100)).message).toMatch(/more than 64/);
    expect(parseGlob("a{,}{,}").alternatives).toHaveLength(1);
    expect(parseGlob("a" + "{},".repeat(30)).alternatives).toHaveLength(1);
  });

  it("braces nest 4 deep", () => {
    const nested = (depth: number): string => (depth === 0 ? "x" : `{a,${nested(depth - 1)}}`);
    expect(matches(nested(3), "x")).toBe(true);
    expect(matches(nested(4), "x")).toBe(true);
    expect(refusal(nested(5)).message).toMatch(/nested deeper than 4/);
  });

  it("hostile patterns take at most pattern × path steps", () => {
    const deepPath = Array.from({ length: 32 }, () => "a".repeat(15)).join("/");
    const longName = `${"a".repeat(255)}/${"a".repeat(255)}`;
    const patterns = [
      `${"*a".repeat(200)}b`,
      `${"**/a/".repeat(80)}x`,
      `${"**/*a*/".repeat(60)}x`,
      `${"?*".repeat(200)}b`,
      "**/".repeat(60) + "x",
      `{${Array.from({ length: 60 }, (_, index) => `*a*${index}`).join(",")}}`,
      `${"*a".repeat(250)}?????*a`,
      `${"*/".repeat(30)}**/*b`,
    ];
    for (const source of patterns)
      for (const path of [deepPath, longName]) {
        const meter = { steps: 0 };
        expect(matchGlob(parseGlob(source), path, meter)).toBe(false);
        expect(meter.steps).toBeLessThanOrEqual(2 * source.length * path.length);
      }
  });
});

describe("what a storage looks up", () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ["*.md", "", ".md"],
    ["a.md", "", "a.md"],
    ["/a.md", "a.md", "a.md"],
    ["docs/**/*.md", "docs/", ".md"],
    ["docs/**", "docs/", ""],
    ["docs/a*b/c.md", "docs/a", "b/c.md"],
    ["**/a.md", "", "a.md"],
    ["x/**/a/b", "x/", "a/b"],
    ["{docs/a,docs/b}/*.ts", "docs/", ".ts"],
    ["{a,docs/b}", "", ""],
    ["x/{ab,ac}.ts", "x/a", ".ts"],
    ["x/😀?", "x/😀", ""],
    ["x/{😀,😁}", "x/", ""],
    ["a\\*b/c", "a*b/c", "a*b/c"],
    ["**", "", ""],
    ["x/?y", "x/", "y"],
  ];
  for (const [pattern, prefix, tail] of rows)
    it(`${pattern} begins with "${prefix}" and ends with "${tail}"`, () => {
      expect([globPrefix(parseGlob(pattern)), globTail(parseGlob(pattern))]).toEqual([prefix, tail]);
    });

  it("emits an anchored regular expression with only punctuation escaped", () => {
    expect(globToPostgres(parseGlob("docs/**/*.md"))).toBe("^(?:docs/(?:.*/)?[^/]*\\.md)$");
    expect(globToPostgres(parseGlob("{a?,b1}"))).toBe("^(?:(?:.*/)?a[^/]|(?:.*/)?b1)$");
    expect(globToPostgres(parseGlob("/a+$(é)_"))).toBe("^(?:a\\+\\$\\(é\\)\\_)$");
  });

  it("gives up over 4096 characters", () => {
    expect(globToPostgres(parseGlob(`{${"a,".repeat(60)}a}${"+".repeat(300)}`))).toBeDefined();
    expect(globToPostgres(parseGlob(`${"{a,b}".repeat(6)}${"+".repeat(300)}`))).toBeUndefined();
  });
});

describe("properties", () => {
  const piece = fc.constantFrom("a", "b", "ab", "*", "**", "?", "/", "/", "/**/", "**/", ".x", "{a,b}", "{,a}", "{a/b,*}", "{a,**}");
  const pattern = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(""));
  const path = fc.array(fc.constantFrom("a", "b", "ab", "ba", "a.x", ".x", "aab"), { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));
  const parsed = (source: string): ReturnType<typeof parseGlob> | undefined => {
    try {
      return parseGlob(source);
    } catch (error) {
      if (error instanceof HangoError) return undefined;
      throw error;
    }
  };

  it("the matcher, the emitted expression, the prefix and the tail agree", () => {
    fc.assert(
      fc.property(pattern, path, (source, name) => {
        const glob = parsed(source);
        fc.pre(glob !== undefined);
        if (glob === undefined) return;
        const matched = matchGlob(glob, name);
        expect(new RegExp(globToPostgres(glob) as string, "s").test(name)).toBe(matched);
        if (matched) expect(name.startsWith(globPrefix(glob)) && name.endsWith(globTail(glob))).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });

  it("minimatch agrees where its dialect is the same", () => {
    const simple = fc
      .array(fc.constantFrom("a", "b", "ab", "*", "?", "{a,b}", ".x"), { minLength: 1, maxLength: 4 })
      .map((pieces) => pieces.join("").replace(/\*+/g, "*"));
    const source = fc.array(fc.oneof(simple, fc.constant("**")), { minLength: 2, maxLength: 5 }).map((segments) => segments.join("/"));
    fc.assert(
      fc.property(source, path, (given, name) => {
        const glob = parsed(given);
        fc.pre(glob !== undefined);
        if (glob === undefined) return;
        // minimatch lets a final `**` stand for nothing; here it is one segment or more.
        const theirs = minimatch(name, given.replace(/(^|\/)\*\*$/, "$1**/*"), { dot: true, nonegate: true, nocomment: true, noext: true });
        expect(matchGlob(glob, name), `${given} on ${name}`).toBe(theirs);
      }),
      { numRuns: 5000 },
    );
  });
});
