import { describe, expect, it } from "vitest";
import { diffFacts, printedDiff, summary } from "./show-diff.ts";

const diff = `diff --git a/a.sql b/a.sql
--- a/a.sql
+++ b/a.sql
@@ -1,3 +1,3 @@
 select 1;
--- a comment
+++ not a header
 x\r
Binary files a/logo.png and b/logo.png differ
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+\u001B[2Jhello\u202E
\\ No newline at end of file
`;

describe("the diff on the screen", () => {
  it("counts lines of files and not headers: a removed line “-- a comment” looks like one", () => {
    expect(diffFacts(diff)).toEqual({ added: 2, removed: 1 });
  });

  it("shows control characters as what they are, and a carriage return at the end as git does", () => {
    const printed = printedDiff(diff).replaceAll(/\u001B\[\d+m/g, "");
    expect(printed).toContain(" x^M\n");
    expect(printed).toContain("+\uFFFD[2Jhello\uFFFD\n");
  });

  it("is empty for an empty diff", () => {
    expect(printedDiff("")).toBe("");
    expect(diffFacts("")).toEqual({ added: 0, removed: 0 });
  });

  it("sums up in one line", () => {
    const facts = { added: 12, removed: 3 };
    expect(summary(["create", "modify", "modify", "delete"], facts)).toBe("4 files: 1 created, 2 modified, 1 deleted; +12 −3 lines");
    expect(summary(["delete"], facts)).toBe("1 file: 1 deleted; +12 −3 lines");
  });
});
