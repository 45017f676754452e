/** docs/reference/api.md, from the docstrings of what each entry exports. */
import { readFileSync } from "node:fs";
import { declarationsOf, type Declaration } from "./declarations.ts";

const library: URL = new URL("../../packages/hango/", import.meta.url);

/** The entries of the package with their sources, as its build makes the one from the other. */
export function entries(): ReadonlyMap<string, URL> {
  const { exports } = JSON.parse(readFileSync(new URL("package.json", library), "utf8")) as { readonly exports: Readonly<Record<string, unknown>> };
  return new Map(
    Object.entries(exports).flatMap(([entry, target]) => {
      const built = (target as { readonly default?: string }).default;
      if (built === undefined) return [];
      return [[entry.replace(/^\./, "hango"), new URL(built.replace("./dist/", "./src/").replace(/\.mjs$/, ".ts"), library)] as const];
    }),
  );
}

export function apiPage(): string {
  const sections = [...entries()].map(([entry, source]) => {
    const all = declarationsOf(source);
    const [values, types] = [all.filter(({ kind }) => kind === "value"), all.filter(({ kind }) => kind === "type")];
    return [`## ${entry}\n`, ...values.map(printed), ...(types.length === 0 ? [] : [`### Types of ${entry}\n`, ...types.map(printed)])].join("\n");
  });
  return `# The library, entry by entry

Made from the docstrings by \`node tools/reference-docs.ts\`. What each error code means: [errors](errors.md).

${[...entries().keys()].map((entry) => `- [${entry}](#${entry.replaceAll("/", "")})`).join("\n")}

${sections.join("\n")}`;
}

function printed({ name, doc, code }: Declaration): string {
  // What looks like an element on a page is text.
  const prose = doc.replace(/</g, "&lt;").replace(/\n(?=[A-Z][a-z]+: )/g, "\n\n");
  return `#### ${name}\n\n${prose === "" ? "" : `${prose}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`;
}
