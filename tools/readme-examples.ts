/** Puts the files of `examples/` into the code blocks of the pages. */
import { writeFileSync } from "node:fs";
import { fromRoot, markdownPages } from "./markdown-pages.ts";

export { fromRoot };

const BLOCK = /<!-- example: (\S+) -->\n```ts\n[\s\S]*?```/g;

/** The page with each marked block holding the file that its marker names. */
export function withExamples(page: string, read: (path: string) => string): string {
  return page.replace(BLOCK, (_block, path: string) => `<!-- example: ${path} -->\n\`\`\`ts\n${read(path)}\`\`\``);
}

/** TypeScript or JavaScript on a page that no file stands behind, by its first line. */
export function unmarkedCode(page: string): readonly string[] {
  const rest = page.replace(BLOCK, "");
  return [...rest.matchAll(/^ *```(?:ts|js|typescript|javascript|tsx|jsx|mjs)\n(.*)$/gm)].map(([, line = ""]) => line);
}

/** Every page with code of the examples in it. */
export const PAGES_WITH_CODE: readonly string[] = markdownPages().filter((path) => fromRoot(path).includes("<!-- example: "));

if (import.meta.main) for (const path of PAGES_WITH_CODE) writeFileSync(new URL(`../${path}`, import.meta.url), withExamples(fromRoot(path), fromRoot));
