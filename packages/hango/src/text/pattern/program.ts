/** The tree as Thompson code in typed arrays; repeats are written out, which the expanded size bounds. */
import type { Ranges } from "./classes.ts";
import type { AssertionKind, Node } from "./tree.ts";

export const OP_MATCH = 0;
/** Consumes a character of the set `argument`, goes on at `next`. */
export const OP_SET = 1;
/** Goes on at `next` and at `argument`. */
export const OP_SPLIT = 2;
/** Goes on at `next` when the edge `argument` holds here. */
export const OP_ASSERT = 3;

export const LINE_START = 0;
export const LINE_END = 1;
export const BOUNDARY = 2;
const NOT_BOUNDARY = 3;

const edges: Readonly<Record<AssertionKind, number>> = { lineStart: LINE_START, lineEnd: LINE_END, boundary: BOUNDARY, notBoundary: NOT_BOUNDARY };

export interface Program {
  readonly ops: Uint8Array;
  readonly next: Uint16Array;
  readonly argument: Uint16Array;
  readonly start: number;
  /** The sets that OP_SET names, each once. */
  readonly sets: readonly Ranges[];
}

/** Compiles from the end to the start, so that every instruction knows what follows it. */
export function compile(tree: Node): Program {
  const ops: number[] = [OP_MATCH];
  const next: number[] = [0];
  const argument: number[] = [0];
  const sets: Ranges[] = [];
  const setIndexes = new Map<string, number>();

  const add = (op: number, goesTo: number, extra = 0): number => {
    next.push(goesTo);
    argument.push(extra);
    return ops.push(op) - 1;
  };
  const setIndex = (ranges: Ranges): number => {
    const key = ranges.join();
    const known = setIndexes.get(key);
    if (known !== undefined) return known;
    setIndexes.set(key, sets.length);
    return sets.push(ranges) - 1;
  };
  const loop = (item: Node, after: number): { readonly split: number; readonly body: number } => {
    const split = add(OP_SPLIT, 0, after);
    const body = write(item, split);
    next[split] = body;
    return { split, body };
  };
  const repeat = (node: Node & { kind: "repeat" }, after: number): number => {
    let at = after;
    let copies = node.min;
    if (node.max === Infinity) {
      const { split, body } = loop(node.item, after);
      at = node.min === 0 ? split : body;
      copies = Math.max(0, node.min - 1);
    } else for (let n = node.min; n < node.max; n++) at = add(OP_SPLIT, write(node.item, at), after);
    for (let n = 0; n < copies; n++) at = write(node.item, at);
    return at;
  };
  const write = (node: Node, after: number): number => {
    switch (node.kind) {
      case "set":
        return add(OP_SET, after, setIndex(node.ranges));
      case "empty":
        return after;
      case "cat":
        return node.items.reduceRight((at, item) => write(item, at), after);
      case "alt":
        return node.branches.map((branch) => write(branch, after)).reduceRight((rest, branch) => add(OP_SPLIT, branch, rest));
      case "repeat":
        return repeat(node, after);
      default:
        return add(OP_ASSERT, after, edges[node.kind]);
    }
  };
  const start = write(tree, 0);
  return { ops: Uint8Array.from(ops), next: Uint16Array.from(next), argument: Uint16Array.from(argument), start, sets };
}
