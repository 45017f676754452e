import { expect, it } from "vitest";
import { capabilityTable, tableOn } from "./capabilities.ts";
import { fromRoot } from "./markdown-pages.ts";

it("the README's table is what trials of each storage and layer show; if not, run: npm exec -c 'node tools/capabilities.ts'", async () => {
  expect(tableOn(fromRoot("README.md"))).toBe(await capabilityTable());
});
