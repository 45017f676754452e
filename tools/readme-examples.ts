/** Puts the files of `examples/` into the code blocks of the READMEs. */
import { readFileSync, writeFileSync } from "node:fs";

const BLOCK = /<!-- example: (\S+) -->\n```ts\n[\s\S]*?```/g;

/** The README with each marked block holding the file that its marker names. */
export function withExamples(readme: string, read: (path: string) => string): string {
  return readme.replace(BLOCK, (_block, path: string) => `<!-- example: ${path} -->\n\`\`\`ts\n${read(path)}\`\`\``);
}

export const fromRoot = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

export const READMES: readonly string[] = ["README.md", "packages/hango/README.md"];

if (import.meta.main) for (const path of READMES) writeFileSync(new URL(`../${path}`, import.meta.url), withExamples(fromRoot(path), fromRoot));
