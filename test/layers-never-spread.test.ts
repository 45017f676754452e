import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const layers = fileURLToPath(new URL("../packages/hango/src/layers/", import.meta.url));

/** Spreads of a whole storage: `...inner`, `...this.inner`, `...storage`, `...base`. A call such as `...inner.list()` spreads an answer, not a storage. */
const spreads = (text: string): readonly string[] => text.match(/\.\.\.\s*(?:[\w$]+\.)*(?:inner|storage|base|upper|lower)\b(?!\s*[.(?[])/g) ?? [];

describe("a layer", () => {
  it.each([
    ["{ ...inner }", 1],
    ["{ ...inner, read }", 1],
    ["Object.freeze({...this.inner})", 1],
    ["{ ...storage }", 1],
    ["[...inner.list(prefix)]", 0],
    ["[...innerPaths]", 0],
  ])("that spreads a storage is found: %s", (text, count) => {
    expect(spreads(text)).toHaveLength(count);
  });

  it("never spreads the storage below it: a guard must not forward what it has not looked at", () => {
    const found = readdirSync(layers, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => spreads(readFileSync(layers + file, "utf8")).map((spread) => `${file}: ${spread}`));
    expect(found).toEqual([]);
  });
});
