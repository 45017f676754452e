import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CLI_DOCS, cliDocs } from "./cli-docs.ts";

it("docs/cli.md is what the commands say; if not, run: npm exec -c 'node tools/cli-docs.ts'", () => {
  expect(readFileSync(CLI_DOCS, "utf8")).toBe(cliDocs());
});

it("every command has examples in its help", () => {
  const sections = cliDocs().split("\n### ").slice(1);
  expect(sections.length).toBeGreaterThan(15);
  expect(sections.filter((section) => !section.includes("```sh\n")).map((section) => section.split("\n")[0])).toEqual([]);
});
