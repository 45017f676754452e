import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { serveVariables } from "./settings.ts";

it("the guide lists every variable of the server", () => {
  const guide = readFileSync(new URL("../../../../docs/guides/production.md", import.meta.url), "utf8");
  expect(serveVariables.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
