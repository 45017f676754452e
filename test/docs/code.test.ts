import { describe, expect, it } from "vitest";
import { fromRoot, markdownPages } from "../../tools/markdown-pages.ts";
import { unmarkedCode } from "../../tools/readme-examples.ts";

const pages = markdownPages().filter((path) => /^docs\/(?!reference\/)|(^|\/)README\.md$/.test(path));

describe("code on the pages", () => {
  it.each(pages)("is that of the examples, which tests run: %s", (path) => {
    expect(unmarkedCode(fromRoot(path)), "put it into examples/, with a marker above the block, and run `npm run format`").toEqual([]);
  });

  it("the check sees code that no file stands behind", () => {
    expect(unmarkedCode("<!-- example: a.ts -->\n```ts\nconst a = 1;\n```\n\n```js\nconst b = 2;\n```\n")).toEqual(["const b = 2;"]);
  });

  it("no page names a place of the machine that it was written on", () => {
    expect(markdownPages().filter((path) => /\/(?:work|root|home)\//.test(fromRoot(path)))).toEqual([]);
  });
});
