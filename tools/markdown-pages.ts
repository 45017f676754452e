/** The Markdown pages of this repository, by their paths from the root. */
import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);

/** Everything that is not ours, or not a page: what is installed, built, or a store. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "dist", "seed"]);

export function markdownPages(directory = ""): readonly string[] {
  return readdirSync(new URL(directory, root), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${directory}${entry.name}`;
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) || entry.name.startsWith(".") ? [] : markdownPages(`${path}/`);
      return entry.isFile() && path.endsWith(".md") ? [path] : [];
    });
}

/** Reads a file by its path from the root. */
export function fromRoot(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

/** The text without its fenced blocks, which hold no links and no headings. */
export function proseOf(page: string): string {
  return page.replace(/^( *)(```+)[^\n]*\n[\s\S]*?^\1\2$/gm, "");
}

/** What a heading is called in an address, as GitHub makes it; a name met before gets a number. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const name = anchorOf(heading);
    let anchor = name;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${name}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function anchorOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

export interface Link {
  readonly page: string;
  /** As written. */
  readonly target: string;
}

/** The links and pictures of a page that lead to something in this repository. */
export function linksOf(page: string, text: string): readonly Link[] {
  const prose = proseOf(text).replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target })).filter(({ target }) => !/^[a-z]+:/.test(target));
}
