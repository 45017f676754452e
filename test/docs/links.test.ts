import { existsSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { anchorsOf, fromRoot, linksOf, markdownPages } from "../../tools/markdown-pages.ts";

const root = resolve(import.meta.dirname, "../..");
const pages = markdownPages();

/** What is wrong with a link, as far as this repository can tell. */
function faultOf(page: string, target: string): string | undefined {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : normalize(join(dirname(page), decodeURIComponent(path)));
  if (file.startsWith("..") || !existsSync(join(root, file))) return `${page}: ${target} is not there`;
  if (anchor === undefined || !file.endsWith(".md")) return undefined;
  return anchorsOf(fromRoot(file)).has(anchor) ? undefined : `${page}: ${target}: ${file} has no such heading`;
}

describe("the links of every page", () => {
  it.each(pages)("lead to files and headings that there are: %s", (page) => {
    expect(linksOf(page, fromRoot(page)).map(({ target }) => faultOf(page, target))).not.toContainEqual(expect.any(String));
  });

  it("and those of llms.txt, which names every page but the decisions", () => {
    const named = linksOf("llms.txt", fromRoot("llms.txt")).map(({ target }) => target);
    expect(named.filter((target) => faultOf("llms.txt", target) !== undefined)).toEqual([]);
    expect(pages.filter((page) => page.startsWith("docs/") && !page.startsWith("docs/adr/") && !named.includes(page))).toEqual([]);
  });

  it("and every page of docs is listed in docs/README.md", () => {
    const listed = linksOf("docs/README.md", fromRoot("docs/README.md")).map(({ target }) => normalize(join("docs", target)));
    const wanted = pages.filter((page) => /^docs\/(?!adr\/|README)/.test(page));
    expect(wanted.filter((page) => !listed.includes(page))).toEqual([]);
  });
});

describe("the check", () => {
  it("sees a file and a heading that are not there", () => {
    expect(faultOf("docs/README.md", "nowhere.md")).toBe("docs/README.md: nowhere.md is not there");
    expect(faultOf("docs/README.md", "vocabulary.md#nothing")).toContain("has no such heading");
    expect(faultOf("docs/README.md", "../../etc/passwd")).toContain("is not there");
    expect(faultOf("docs/README.md", "../README.md#limits")).toBeUndefined();
  });

  it("makes headings' names as GitHub does, and reads none in code", () => {
    expect([...anchorsOf("# A `b_c`: [d](e.md)!\n\n## Twice\n## Twice\n\n```sh\n# no heading\n```\n")]).toEqual(["a-b_c-d", "twice", "twice-1"]);
    expect(linksOf("x.md", "[a](b.md) `[c](d.md)` ![e](f.svg) [g](https://h)\n").map(({ target }) => target)).toEqual(["b.md", "f.svg"]);
  });
});
