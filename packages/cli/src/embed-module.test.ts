import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import { embeddedStorage, type EmbeddedFiles } from "hango";
import { embedModule } from "./embed-module.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What an import of the module gives. */
async function imported(source: string): Promise<EmbeddedFiles> {
  const script = stripTypeScriptTypes(source);
  const made = (await import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(script).toString("base64")}`)) as { readonly files: EmbeddedFiles };
  return made.files;
}

describe("embedModule", () => {
  const odd = new Map<string, Uint8Array>([
    ["a.md", encode("# A\r\n`${x}` \\ \"quoted\" 'single' \u2028 \u202e </script> \ufeff\t\u0000x".replace("\u0000", ""))],
    ["__proto__", encode("a file as any other")],
    ["constructor", encode("")],
    ['\u{1F600}/it\'s "q".txt', encode("\u{1F600}\uff61")],
    ["\uff61.bin", Uint8Array.of(0, 255, 254, 10)],
    ["nul.txt", encode("a\0b")],
  ]);

  it("gives back every byte under every name, when it is imported and embedded", async () => {
    const corpus = embeddedStorage(await imported(embedModule(odd)));
    const paths = (await corpus.list()).map(({ path }) => path);
    expect(paths).toEqual(["__proto__", "a.md", "constructor", "nul.txt", "\uff61.bin", '\u{1F600}/it\'s "q".txt']);
    for (const path of paths) expect(Buffer.from((await corpus.read(path)).bytes).equals(odd.get(path) as Uint8Array), path).toBe(true);
  });

  it("is the same whatever the order of the files, and without a helper it does not need", () => {
    expect(embedModule(new Map([...odd].reverse()))).toBe(embedModule(odd));
    expect(embedModule(new Map([["a.md", encode("x")]]))).toBe(
      '// Made by `hango embed`. Make it again instead of changing it.\n\n/** Files by path, for embeddedStorage. */\nexport const files: Readonly<Record<string, string | Uint8Array>> = {\n  "a.md": "x",\n};\n',
    );
  });

  it("has nothing in it that an editor or a terminal acts on", () => {
    expect(embedModule(odd)).not.toMatch(/[\u2028\u2029\u202a-\u202e\ufeff\r]|<\/script/);
  });
});
