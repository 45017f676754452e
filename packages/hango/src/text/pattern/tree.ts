/** The tree that every engine works from. Groups, captures and laziness are gone: they change the extent of a match, never whether or where the leftmost one starts. */
import type { Ranges } from "./classes.ts";

export type AssertionKind = "lineStart" | "lineEnd" | "boundary" | "notBoundary";

export type Node =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "empty" }
  | { readonly kind: "cat"; readonly items: readonly Node[] }
  | { readonly kind: "alt"; readonly branches: readonly Node[] }
  /** `max` is Infinity when unbounded. */
  | { readonly kind: "repeat"; readonly item: Node; readonly min: number; readonly max: number }
  | { readonly kind: AssertionKind };

const EMPTY: Node = { kind: "empty" };

/** Tells whether a node is one of the four assertions. */
export function isAssertion(node: Node): node is { readonly kind: AssertionKind } {
  return node.kind === "lineStart" || node.kind === "lineEnd" || node.kind === "boundary" || node.kind === "notBoundary";
}

/** The one code point of a set of one, or undefined. */
export function singleCodePoint(node: Node): number | undefined {
  return node.kind === "set" && node.ranges.length === 2 && node.ranges[0] === node.ranges[1] ? node.ranges[0] : undefined;
}

/** Nodes one after the other, as one. */
export function sequence(items: readonly Node[]): Node {
  return items.length === 0 ? EMPTY : items.length === 1 ? (items[0] as Node) : { kind: "cat", items };
}

function isZeroWidth(node: Node): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "cat":
      return node.items.every(isZeroWidth);
    case "alt":
      return node.branches.every(isZeroWidth);
    case "repeat":
      return node.max === 0 || isZeroWidth(node.item);
    default:
      return true;
  }
}

/**
 * The same language with fewer nodes: nested sequences are flat, equal assertions side by side are one, and a repeat over
 * something of no width is empty (min 0) or one copy. The last two matter: `(?:\b)?a?` ten times took Postgres' compiler 429 ms.
 */
export function simplify(node: Node): Node {
  if (node.kind === "cat") {
    const items: Node[] = [];
    for (const part of node.items.map(simplify))
      for (const item of part.kind === "cat" ? part.items : [part]) {
        if (item.kind === "empty" || (isAssertion(item) && items.at(-1)?.kind === item.kind)) continue;
        items.push(item);
      }
    return sequence(items);
  }
  if (node.kind === "alt") return { kind: "alt", branches: node.branches.map(simplify) };
  if (node.kind !== "repeat") return node;
  const item = simplify(node.item);
  if (node.max === 0) return EMPTY;
  if (isZeroWidth(item)) return node.min === 0 ? EMPTY : item;
  return node.min === 1 && node.max === 1 ? item : { ...node, item };
}

/** The tree that matches the same strings read backwards: the last place where it matches is where the leftmost match starts. */
export function reverse(node: Node): Node {
  switch (node.kind) {
    case "cat":
      return { kind: "cat", items: node.items.map(reverse).reverse() };
    case "alt":
      return { kind: "alt", branches: node.branches.map(reverse) };
    case "repeat":
      return { ...node, item: reverse(node.item) };
    case "lineStart":
      return { kind: "lineEnd" };
    case "lineEnd":
      return { kind: "lineStart" };
    default:
      return node;
  }
}
