/**
 * A lazy DFA over the program: states are made as the text asks for them, and when there are too many the rest is simulated
 * set by set, linear either way. A state is the instructions that wait and what kind of character came before; edges (`^ $ \b`)
 * are decided when the next symbol is known, and the end of a line is a symbol, so they need no special case.
 */
import { MAX_DFA_STATES } from "../../limits.ts";
import type { Alphabet } from "./alphabet.ts";
import { createAlphabet, END_OF_LINE } from "./alphabet.ts";
import type { Program } from "./program.ts";
import { BOUNDARY, compile, LINE_END, LINE_START, OP_ASSERT, OP_MATCH, OP_SET, OP_SPLIT } from "./program.ts";
import type { Node } from "./tree.ts";

/** Kinds of the character before. */
const BEGIN = 0;
const WORD = 1;
const OTHER = 2;

/** Entries of `table`: 0 when not known yet; else what `encode` gives. */
export const UNKNOWN = 0;
/** The state at the start of every line; setting it starts a walker afresh. */
export const START_STATE = 0;
/** Table entries of one cache, so that a large alphabet can't make 2,000 states cost more than 16 MiB. */
const MAX_TABLE = 4_000_000;

interface Cache {
  table: Int32Array;
  readonly kernels: Uint16Array[];
  readonly kinds: number[];
  readonly indexes: Map<string, number>;
}

/** One pass over a text. The scanning loops read `state` and `table` themselves and call `step` only for what is not known. */
export interface Walker {
  /** A cached state, or -1 while simulating. */
  state: number;
  /** `table[state * alphabet.size + symbol]`: 0, or 1 + 2 × the next state + (1 when a match ends before the symbol). */
  table: Int32Array;
  /** Instructions visited so far. */
  visited: number;
  /** Takes one symbol; true when a match ends before it. After the end of a line the walker is at the start of the next. */
  readonly step: (symbol: number) => boolean;
}

export interface Machine {
  readonly alphabet: Alphabet;
  readonly createWalker: () => Walker;
}

/** Builds the machine for a tree. `maxStates` is for tests of the switch from cache to simulation. */
export function createMachine(tree: Node, maxStates: number = MAX_DFA_STATES): Machine {
  const program = compile(tree);
  const alphabet = createAlphabet(program.sets);
  const bound = Math.max(1, Math.min(maxStates, Math.floor(MAX_TABLE / alphabet.size)));
  const closure = createClosure(program, alphabet);
  let cache = createCache(alphabet.size);
  return {
    alphabet,
    createWalker: () => {
      // What filled up on another text is not worth keeping; a walker under way holds on to its own.
      if (cache.kernels.length >= bound) cache = createCache(alphabet.size);
      return createWalker(cache, closure, alphabet, bound);
    },
  };
}

function createCache(symbols: number): Cache {
  const cache: Cache = { table: new Int32Array(4 * symbols), kernels: [], kinds: [], indexes: new Map() };
  addState(cache, new Uint16Array(0), BEGIN, symbols);
  return cache;
}

function keyOf(kernel: Uint16Array, kind: number): string {
  return String.fromCharCode(kind, ...kernel);
}

function addState(cache: Cache, kernel: Uint16Array, kind: number, symbols: number): number {
  const state = cache.kernels.push(kernel) - 1;
  cache.kinds.push(kind);
  cache.indexes.set(keyOf(kernel, kind), state);
  if ((state + 1) * symbols > cache.table.length) {
    const larger = new Int32Array(2 * cache.table.length);
    larger.set(cache.table);
    cache.table = larger;
  }
  return state;
}

interface Closure {
  /** Where the instructions after the symbol are put. */
  readonly out: Uint16Array;
  outLength: number;
  visited: number;
  /** Follows everything that needs no character, then takes the symbol; true when a match ends before it. */
  readonly take: (kernel: Uint16Array, length: number, kind: number, symbol: number) => boolean;
}

function createClosure(program: Program, alphabet: Alphabet): Closure {
  const { ops, next, argument, start } = program;
  const { isMember, isWord, size } = alphabet;
  /** The round in which an instruction was last visited, and last put out. */
  const visitedIn = new Uint32Array(ops.length);
  const putIn = new Uint32Array(ops.length);
  const stack = new Uint16Array(2 * ops.length + 2);
  let round = 0;

  const take = (kernel: Uint16Array, length: number, kind: number, symbol: number): boolean => {
    if (++round > 0xffff_ffff) {
      visitedIn.fill(0);
      putIn.fill(0);
      round = 1;
    }
    const wordBefore = kind === WORD;
    const wordAfter = isWord[symbol] === 1;
    let matched = false;
    let outLength = 0;
    let visited = 0;
    for (let i = -1; i < length; i++) {
      let top = 0;
      stack[top++] = i < 0 ? start : (kernel[i] as number);
      while (top > 0) {
        const at = stack[--top] as number;
        if (visitedIn[at] === round) continue;
        visitedIn[at] = round;
        visited++;
        const op = ops[at];
        if (op === OP_SPLIT) {
          stack[top++] = argument[at] as number;
          stack[top++] = next[at] as number;
        } else if (op === OP_SET) {
          const to = next[at] as number;
          if (symbol === END_OF_LINE || isMember[(argument[at] as number) * size + symbol] !== 1 || putIn[to] === round) continue;
          putIn[to] = round;
          closure.out[outLength++] = to;
        } else if (op === OP_MATCH) matched = true;
        else if (op === OP_ASSERT && holds(argument[at] as number, kind, symbol, wordBefore !== wordAfter)) stack[top++] = next[at] as number;
      }
    }
    closure.outLength = outLength;
    closure.visited = visited;
    return matched;
  };
  const closure: Closure = { out: new Uint16Array(ops.length), outLength: 0, visited: 0, take };
  return closure;
}

function holds(edge: number, kind: number, symbol: number, isBoundary: boolean): boolean {
  if (edge === LINE_START) return kind === BEGIN;
  if (edge === LINE_END) return symbol === END_OF_LINE;
  return isBoundary === (edge === BOUNDARY);
}

function createWalker(cache: Cache, closure: Closure, alphabet: Alphabet, bound: number): Walker {
  const symbols = alphabet.size;
  /** The kernel while simulating. */
  const own = new Uint16Array(closure.out.length);
  let ownLength = 0;
  let ownKind = BEGIN;

  const step = (symbol: number): boolean => {
    const from = walker.state;
    const kernel = from < 0 ? own : (cache.kernels[from] as Uint16Array);
    const matched = closure.take(kernel, from < 0 ? ownLength : kernel.length, from < 0 ? ownKind : (cache.kinds[from] as number), symbol);
    walker.visited += closure.visited;
    const to = symbol === END_OF_LINE ? START_STATE : nextState(alphabet.isWord[symbol] === 1 ? WORD : OTHER);
    if (from >= 0 && to >= 0) cache.table[from * symbols + symbol] = 1 + 2 * to + (matched ? 1 : 0);
    walker.state = to;
    walker.table = cache.table;
    return matched;
  };
  /** The cached state of what the closure put out; -1 once there is no room, and then it is the walker's own. */
  const nextState = (kind: number): number => {
    const out = closure.out.subarray(0, closure.outLength);
    if (walker.state >= 0) {
      out.sort();
      const known = cache.indexes.get(keyOf(out, kind));
      if (known !== undefined) return known;
      if (cache.kernels.length < bound) return addState(cache, out.slice(), kind, symbols);
    }
    own.set(out);
    ownLength = out.length;
    ownKind = kind;
    return -1;
  };
  const walker: Walker = { state: START_STATE, table: cache.table, visited: 0, step };
  return walker;
}
