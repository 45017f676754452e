import { comparePaths, decodeText } from "hango";

/**
 * The text of a module that exports the files. The same files give the same text, whenever and wherever it is made.
 * Text stays text, so that a diff can be read; anything else is base64.
 */
export function embedModule(files: ReadonlyMap<string, Uint8Array>): string {
  const sorted = [...files].toSorted(([a], [b]) => comparePaths(a, b));
  const rows = sorted.map(([path, bytes]) => ({ key: keyOf(path), text: decodeText(bytes), bytes }));
  const lines = rows.map(
    ({ key, text, bytes }) => `  ${key}: ${text === undefined ? `bytes(${quoted(Buffer.from(bytes).toString("base64"))})` : quoted(text)},\n`,
  );
  return `// Made by \`hango embed\`. Make it again instead of changing it.

/** Files by path, for embeddedStorage. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
${lines.join("")}};
${rows.some(({ text }) => text === undefined) ? DECODER : ""}`;
}

const DECODER = `
function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
`;

/** In brackets, this name is a key as any other; without them it would set the prototype and the file would be gone. */
function keyOf(path: string): string {
  return path === "__proto__" ? '["__proto__"]' : quoted(path);
}

/** A string literal in printable characters: what an editor, a terminal or a script element would act on is escaped. */
function quoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll("</", "<\\/")
    .replace(
      /[\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
