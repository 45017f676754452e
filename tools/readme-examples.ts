/** Puts the files of `examples/` into the README's code blocks. */
import { readFileSync, writeFileSync } from "node:fs";

const BLOCK = /<!-- example: (\S+) -->\n```ts\n[\s\S]*?```/g;

/** The README with each marked block holding the file that its marker names. */
export function withExamples(readme: string, read: (path: string) => string): string {
  return readme.replace(BLOCK, (_block, path: string) => `<!-- example: ${path} -->\n\`\`\`ts\n${read(path)}\`\`\``);
}

export const fromRoot = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

if (import.meta.main) {
  const readme = fromRoot("README.md");
  writeFileSync(new URL("../README.md", import.meta.url), withExamples(readme, fromRoot));
}
