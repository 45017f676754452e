/** What a pattern costs an engine, reckoned on the tree and refused before anything is expanded. */
import { MAX_BOUNDARY_CHAIN, MAX_PATTERN_SIZE, MAX_QUANTIFIER_NESTING } from "../../limits.ts";
import { invalidPattern } from "./pattern-error.ts";
import type { Node } from "./tree.ts";

/**
 * The size after expansion: 1 for a set, an edge or nothing; a sequence is the sum, an alternation the sum and its branches,
 * a repeat its item times the copies, and 1. (The product of the bounds would be the wrong quantity: it lets patterns
 * through that take Postgres five seconds and 168 MiB, and refuses `[0-9a-f]{64}`.)
 */
function expandedSize(node: Node): number {
  switch (node.kind) {
    case "cat":
      return node.items.reduce((sum, item) => sum + expandedSize(item), 0);
    case "alt":
      return node.branches.reduce((sum, branch) => sum + expandedSize(branch), node.branches.length);
    case "repeat":
      return expandedSize(node.item) * Math.max(1, copies(node)) + 1;
    default:
      return 1;
  }
}

function copies(node: Node & { kind: "repeat" }): number {
  return node.max === Infinity ? node.min + 1 : node.max;
}

function quantifierNesting(node: Node): number {
  switch (node.kind) {
    case "cat":
      return Math.max(0, ...node.items.map(quantifierNesting));
    case "alt":
      return Math.max(0, ...node.branches.map(quantifierNesting));
    case "repeat":
      return quantifierNesting(node.item) + 1;
    default:
      return 0;
  }
}

/** Longest runs of edges (`^ $ \b \B`) with nothing that must consume between them: from the front, to the back, anywhere, and all the way through (-Infinity when something must be consumed). */
interface Chain {
  readonly front: number;
  readonly back: number;
  readonly inside: number;
  readonly through: number;
}

const NOTHING: Chain = { front: 0, back: 0, inside: 0, through: 0 };

function join(a: Chain, b: Chain): Chain {
  return {
    front: Math.max(a.front, a.through + b.front),
    back: Math.max(b.back, b.through + a.back),
    inside: Math.max(a.inside, b.inside, a.back + b.front),
    through: a.through + b.through,
  };
}

/** Ways through add up: the compiler follows each of `(\b|$)` in every combination with its neighbours. */
function either(a: Chain, b: Chain): Chain {
  return {
    front: Math.max(a.front, b.front),
    back: Math.max(a.back, b.back),
    inside: Math.max(a.inside, b.inside),
    through: a.through === -Infinity ? b.through : a.through + Math.max(0, b.through),
  };
}

function chain(node: Node): Chain {
  switch (node.kind) {
    case "set":
      return { ...NOTHING, through: -Infinity };
    case "empty":
      return NOTHING;
    case "cat":
      return node.items.map(chain).reduce(join, NOTHING);
    case "alt":
      return node.branches.map(chain).reduce(either);
    case "repeat": {
      const item = chain(node.item);
      let all = item;
      // One round of a loop meets the next, which the copy that is written out does not show.
      for (let n = node.max === Infinity ? 0 : 1; n < copies(node); n++) all = join(all, item);
      return node.min === 0 ? either(all, NOTHING) : all;
    }
    default:
      return { front: 1, back: 1, inside: 1, through: 1 };
  }
}

/**
 * The longest chain of edges, after expansion. Postgres' compiler is exponential in it (15: 0.5 s; 20: "too complex" after 1.4 s);
 * with a character required between they cost nothing.
 */
function boundaryChain(node: Node): number {
  return chain(node).inside;
}

/** Errors: invalid_pattern naming the limit. Takes the tree as written and as simplified: only the second is expanded, but a reader counts the first. */
export function checkSize(source: string, written: Node, simplified: Node): void {
  const nesting = quantifierNesting(written);
  if (nesting > MAX_QUANTIFIER_NESTING) throw invalidPattern(source, `its quantifiers nest ${nesting} deep, and ${MAX_QUANTIFIER_NESTING} is the most`);
  const size = expandedSize(written);
  if (size > MAX_PATTERN_SIZE)
    throw invalidPattern(source, `written out without repeats it has a size of ${size}, and ${MAX_PATTERN_SIZE} is the most; use smaller bounds`);
  const longest = boundaryChain(simplified);
  if (longest > MAX_BOUNDARY_CHAIN)
    throw invalidPattern(
      source,
      `it has ${longest} edges in a row (^ $ \\b \\B, with each choice and repeat) and nothing required between them, and ${MAX_BOUNDARY_CHAIN} is the most`,
    );
}
