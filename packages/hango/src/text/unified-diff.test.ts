import { describe, expect, it } from "vitest";
import { type Change, unifiedDiff } from "./unified-diff.ts";
import { encodeUtf8 } from "./utf8.ts";

const contentType = "text/plain";
const create = (path: string, text: string): Change => ({ kind: "create", path, bytes: encodeUtf8(text), contentType });
const modify = (path: string, before: string, after: string): Change => ({
  kind: "modify",
  path,
  bytes: encodeUtf8(after),
  contentType,
  previous: encodeUtf8(before),
});
const remove = (path: string, text: string): Change => ({ kind: "delete", path, previous: encodeUtf8(text) });
const binary = (path: string): Change => ({ kind: "create", path, bytes: Uint8Array.of(0xff), contentType });

describe("unifiedDiff", () => {
  it("has git's own headers, a/<path> and b/<path>, and /dev/null for created and deleted files", () => {
    expect(unifiedDiff([modify("docs/a.md", "a\n", "b\n"), create("n", "x\n"), remove("o", "y\n")])).toBe(
      "diff --git a/docs/a.md b/docs/a.md\n--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1 +1 @@\n-a\n+b\n" +
        "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n" +
        "diff --git a/o b/o\ndeleted file mode 100644\n--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n",
    );
  });

  it("is empty for no changes, and says nothing of a file that stays the same", () => {
    expect([unifiedDiff([]), unifiedDiff([modify("a", "x", "x")])]).toEqual(["", ""]);
  });

  it("shows an empty file by its header alone", () => {
    expect(unifiedDiff([create("a", "")])).toBe("diff --git a/a b/a\nnew file mode 100644\n");
    expect(unifiedDiff([remove("a", "")])).toBe("diff --git a/a b/a\ndeleted file mode 100644\n");
    expect(unifiedDiff([modify("a", "", "x\n"), modify("b", "x\n", "")])).toMatch(/@@ -0,0 \+1 @@\n\+x\n[^]*@@ -1 \+0,0 @@\n-x\n$/);
  });

  it("marks a missing final newline, and shows a change of line ends alone", () => {
    expect(unifiedDiff([modify("a", "x", "x\n")])).toMatch(/@@ -1 \+1 @@\n-x\n\\ No newline at end of file\n\+x\n$/);
    expect(unifiedDiff([modify("a", "x\r\n", "x\n")])).toMatch(/-x\r\n\+x\n$/);
  });

  it("shows a binary change as one line, apart from a header that it could be taken to belong to", () => {
    expect(unifiedDiff([binary("x")])).toBe("Binary files /dev/null and b/x differ\n");
    expect(unifiedDiff([{ kind: "modify", path: "x y", bytes: Uint8Array.of(0), contentType, previous: encodeUtf8("text") }])).toBe(
      "Binary files a/x y and b/x y differ\n",
    );
    expect(unifiedDiff([create("a", ""), binary("b"), create("c", "")])).toBe(
      "diff --git a/a b/a\nnew file mode 100644\n\nBinary files /dev/null and b/b differ\ndiff --git a/c b/c\nnew file mode 100644\n",
    );
  });

  it.each([
    ["my file", "diff --git a/my file b/my file\n--- a/my file\t\n+++ b/my file\t\n"],
    ['quo"te', 'diff --git "a/quo\\"te" "b/quo\\"te"\n--- "a/quo\\"te"\n+++ "b/quo\\"te"\n'],
    ["d /x", 'diff --git "a/d /x" "b/d /x"\n--- "a/d /x"\n+++ "b/d /x"\n'],
    ["tail ", 'diff --git "a/tail " "b/tail "\n--- "a/tail "\n+++ "b/tail "\n'],
    ["é\u{1F600}", "diff --git a/é\u{1F600} b/é\u{1F600}\n--- a/é\u{1F600}\n+++ b/é\u{1F600}\n"],
    ["a\u007fb\nc", 'diff --git "a/a\\177b\\012c" "b/a\\177b\\012c"\n--- "a/a\\177b\\012c"\n+++ "b/a\\177b\\012c"\n'],
  ])("quotes a name that a header could not hold plain: %j", (path, head) => {
    expect(unifiedDiff([modify(path, "a\n", "b\n")]).replace(/@@[^]*$/, "")).toBe(head);
  });

  it("takes the context that is asked for", () => {
    const lines = Array.from({ length: 9 }, (_, index) => `${index}\n`);
    expect(unifiedDiff([modify("a", lines.join(""), lines.with(4, "x\n").join(""))], { context: 1 })).toMatch(/@@ -4,3 \+4,3 @@\n 3\n-4\n\+x\n 5\n$/);
    expect(() => unifiedDiff([], { context: -1 })).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  });

  it("past its bound shows one hunk that replaces the whole file, never a note", () => {
    const numbered = (word: string): string => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}\n`).join("");
    const diff = unifiedDiff([modify("a", numbered("old"), numbered("new"))]);
    expect(diff.match(/^@@.*$/gm)).toEqual(["@@ -1,3000 +1,3000 @@"]);
    expect([diff.match(/^-old/gm)?.length, diff.match(/^\+new/gm)?.length, diff.split("\n").length]).toEqual([3_000, 3_000, 6_005]);
  });
});
