/** The longest string that every match contains: a cheap test before any engine runs. */
import type { Node } from "./tree.ts";
import { isAssertion, singleCodePoint } from "./tree.ts";

interface Literals {
  /** The one string that the node matches; undefined when there are several. Edges count as the empty string. */
  readonly exact: string | undefined;
  readonly longest: string;
}

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}

function literals(node: Node): Literals {
  if (node.kind === "empty" || isAssertion(node)) return { exact: "", longest: "" };
  if (node.kind === "set") {
    const codePoint = singleCodePoint(node);
    return codePoint === undefined ? { exact: undefined, longest: "" } : exactly(String.fromCodePoint(codePoint));
  }
  if (node.kind === "repeat") {
    const item = literals(node.item);
    if (node.min === node.max && item.exact !== undefined) return exactly(item.exact.repeat(node.min));
    return { exact: undefined, longest: node.min === 0 ? "" : item.longest };
  }
  // Nothing comes out of an alternation: only what its branches share would hold in every match.
  if (node.kind === "alt") return { exact: undefined, longest: "" };
  let run = "";
  let longest = "";
  let isExact = true;
  for (const part of node.items.map(literals)) {
    if (part.exact !== undefined) {
      run += part.exact;
      continue;
    }
    longest = longer(longer(longest, run), part.longest);
    run = "";
    isExact = false;
  }
  return { exact: isExact ? run : undefined, longest: longer(longest, run) };
}

function exactly(text: string): Literals {
  return { exact: text, longest: text };
}

/** The longest string that every match contains, "" when none is known. */
export function requiredLiteral(tree: Node): string {
  return literals(tree).longest;
}

/** The text that a tree is, when it is nothing but one string; undefined otherwise, also for `^text`. */
export function literalText(tree: Node): string | undefined {
  const items = tree.kind === "cat" ? tree.items : [tree];
  let text = "";
  for (const item of items) {
    const codePoint = singleCodePoint(item);
    if (codePoint === undefined) return undefined;
    text += String.fromCodePoint(codePoint);
  }
  return text;
}
