import { HangoError } from "hango";
import { expect, it } from "vitest";
import { storePathHint } from "./store-path-hint.ts";

it.each([
  ["not_found", import.meta.filename, true],
  // Below the working directory.
  ["not_found", "/package.json", true],
  ["not_found", "/no/such/file.md", false],
  ["not_found", "/", false],
  ["not_found", undefined, false],
  ["conflict", "/package.json", false],
] as const)("of %s at %s says that paths are the store's own: %s", (code, path, said) => {
  const hint = storePathHint(new HangoError(code, "x", path === undefined ? {} : { path }));
  expect(hint.includes("paths are the store's own")).toBe(said);
});
