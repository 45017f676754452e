/** The tree as RE2 reads it, for the oracle of the fuzz tests: the same explicit sets, so only the engines are compared. Nothing of the library imports this. */
import type { Node } from "./tree.ts";

function emitCodePoint(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}

function emitBounds(min: number, max: number): string {
  return max === Infinity ? `{${min},}` : `{${min},${max}}`;
}

export function emitRe2(node: Node): string {
  switch (node.kind) {
    case "set": {
      let out = "";
      for (let i = 0; i < node.ranges.length; i += 2) out += `${emitCodePoint(node.ranges[i] as number)}-${emitCodePoint(node.ranges[i + 1] as number)}`;
      return `[${out}]`;
    }
    case "empty":
      return "(?:)";
    case "cat":
      return node.items.map(emitRe2).join("");
    case "alt":
      return `(?:${node.branches.map(emitRe2).join("|")})`;
    case "repeat":
      return `(?:${emitRe2(node.item)})${emitBounds(node.min, node.max)}`;
    default:
      return { lineStart: "^", lineEnd: "$", boundary: "\\b", notBoundary: "\\B" }[node.kind];
  }
}
