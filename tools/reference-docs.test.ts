import { readdirSync } from "node:fs";
import * as hango from "hango";
import * as http from "hango/http";
import { expect, it } from "vitest";
import { fromRoot } from "./markdown-pages.ts";
import { REFERENCE } from "./reference-docs.ts";
import { entries } from "./reference/api-page.ts";
import { declarationsOf } from "./reference/declarations.ts";
import { environmentPage, environmentVariables } from "./reference/environment-page.ts";
import { limitVariables } from "./reference/limits-page.ts";

it.each([...REFERENCE])("%s is what the code says; if not, run: npm exec -c 'node tools/reference-docs.ts'", (path, make) => {
  expect(fromRoot(path)).toBe(make());
});

it.each([
  ["hango", hango],
  ["hango/http", http],
])("what %s exports when it runs is on the page, each with its docstring or its own words", (entry, loaded) => {
  const declared = declarationsOf(entries().get(entry) ?? new URL("about:blank"));
  const values = declared.filter(({ kind }) => kind === "value").map(({ name }) => name);
  expect(values.toSorted()).toEqual(Object.keys(loaded).toSorted());
  expect(declared.filter(({ name, code }) => !code.includes(name)).map(({ name }) => name)).toEqual([]);
});

it("the four variables of the limits are found, each with what it sets", () => {
  expect(Object.fromEntries(limitVariables())).toEqual({
    HANGO_FS_MAX_FILE_BYTES: "maxFileBytes",
    HANGO_FS_MAX_PATH_DEPTH: "maxPathDepth",
    HANGO_TOOL_RESULT_TOKEN_LIMIT: "toolResultTokens",
    HANGO_FS_MAX_OFFLOAD_BYTES: "maxOffloadBytes",
  });
});

it("no variable that the sources name is left out of the page, and each has a meaning", () => {
  const named = new Set(
    ["packages/hango/src", "packages/cli/src"]
      .flatMap((directory) => sourcesBelow(directory))
      .flatMap((path) => fromRoot(path).match(/\bHANGO_[A-Z_]*[A-Z]\b/g) ?? []),
  );
  const known = environmentVariables();
  expect([...named].filter((name) => !known.has(name) && !NO_VARIABLES.has(name))).toEqual([]);
  expect(environmentPage()).not.toMatch(/\| {2}\|/);
});

/** What only the examples of a shell use, and the names of warnings. */
const NO_VARIABLES: ReadonlySet<string> = new Set(["HANGO_KEY", "HANGO_URL", "HANGO_ASYNC_COMMIT", "HANGO_NO_ROW_LEVEL_SECURITY"]);

function sourcesBelow(directory: string): readonly string[] {
  return readdirSync(new URL(`../${directory}`, import.meta.url), { recursive: true, encoding: "utf8" })
    .map((path) => `${directory}/${path}`)
    .filter((path) => path.endsWith(".ts") && !/\.(test|test-support)\.ts$/.test(path));
}
