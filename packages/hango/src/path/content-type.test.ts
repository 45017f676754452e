import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { contentTypeFor, storedContentType } from "./content-type.ts";

describe("contentTypeFor", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["notes/today.md", "text/markdown"],
    ["A.MD", "text/markdown"],
    ["a.txt", "text/plain"],
    ["a.json", "application/json"],
    ["a.yaml", "application/yaml"],
    ["a.html", "text/html"],
    ["a.csv", "text/csv"],
    ["src/a.ts", "text/typescript"],
    ["a.b.tsx", "text/tsx"],
    ["a.unknown-ending", ""],
    ["a", ""],
    [".md", ""],
    ["dir.md/a", ""],
    ["a.", ""],
    ["a.constructor", ""],
    ["a.__proto__", ""],
    ["", ""],
  ];
  for (const [path, type] of rows)
    it(`${JSON.stringify(path)} is ${JSON.stringify(type)}`, () => {
      expect(contentTypeFor(path)).toBe(type);
    });
});

describe("storedContentType", () => {
  const none = { given: undefined, kept: undefined, path: "a.bin-thing", isText: true };

  it("takes what is given, else what the file had, else the extension's, else text or bytes", () => {
    expect(storedContentType({ ...none, given: "x/y", kept: "k/k", path: "a.md" })).toBe("x/y");
    expect(storedContentType({ ...none, kept: "k/k", path: "a.md" })).toBe("k/k");
    expect(storedContentType({ ...none, path: "a.md", isText: false })).toBe("text/markdown");
    expect(storedContentType(none)).toBe("text/plain");
    expect(storedContentType({ ...none, isText: false })).toBe("application/octet-stream");
    expect(storedContentType({ ...none, given: "", kept: "" })).toBe("text/plain");
  });

  it("refuses what can't be a header's value", () => {
    expect(storedContentType({ ...none, given: "t".repeat(254) })).toHaveLength(254);
    expect(storedContentType({ ...none, given: "t".repeat(255) })).toHaveLength(255);
    for (const given of ["t".repeat(256), "text/plain\r\nSet-Cookie: a", "a\0", "é", 5]) {
      try {
        storedContentType({ ...none, given: given as string });
        expect.unreachable();
      } catch (error) {
        expect(isHangoError(error, "invalid_argument")).toBe(true);
        expect((error as Error).message).not.toMatch(/[\0\r\n]/);
      }
    }
  });
});
