/** Characters that no set of a program tells apart are one symbol: the automaton's tables stay small whatever the text holds. */
import type { Ranges } from "./classes.ts";
import { LF, WORD } from "./classes.ts";

/** The symbol of a line's end. */
export const END_OF_LINE = 0;
const LATIN = 256;

export interface Alphabet {
  /** How many symbols there are, the end of the line included. */
  readonly size: number;
  /** The symbol of each character up to U+00FF; LF is the end of the line. */
  readonly latin: Uint16Array;
  /** The symbol of a code point above. */
  readonly symbolOf: (codePoint: number) => number;
  /** `isMember[set * size + symbol]` is 1 when the set holds the symbol's characters. */
  readonly isMember: Uint8Array;
  /** 1 for symbols of ASCII letters, digits and _. */
  readonly isWord: Uint8Array;
}

/** Cuts the code points at every edge of a set, and joins the cells of equal membership. */
export function createAlphabet(sets: readonly Ranges[]): Alphabet {
  const all = [...sets, WORD];
  const edges: (readonly [number, number])[] = [];
  all.forEach((ranges, index) => ranges.forEach((edge, i) => edges.push([i % 2 === 0 ? edge : edge + 1, index])));
  edges.sort((a, b) => a[0] - b[0]);

  const membership = new Uint8Array(all.length);
  const symbols = new Map<string, number>();
  const members: Uint8Array[] = [membership.slice()];
  const starts: number[] = [];
  const cells: number[] = [];
  const openCell = (start: number): void => {
    const key = membership.join("");
    let symbol = symbols.get(key);
    if (symbol === undefined) {
      symbol = members.push(membership.slice()) - 1;
      symbols.set(key, symbol);
    }
    starts.push(start);
    cells.push(symbol);
  };
  openCell(0);
  for (let i = 0; i < edges.length;) {
    const start = (edges[i] as readonly [number, number])[0];
    for (; edges[i]?.[0] === start; i++) {
      const index = (edges[i] as readonly [number, number])[1];
      membership[index] = 1 - (membership[index] as number);
    }
    openCell(start);
  }

  const size = members.length;
  const isMember = new Uint8Array(sets.length * size);
  members.forEach((member, symbol) => sets.forEach((_, set) => (isMember[set * size + symbol] = member[set] as number)));
  const symbolOf = createLookup(Int32Array.from(starts), Uint16Array.from(cells));
  const latin = Uint16Array.from({ length: LATIN }, (_, codePoint) => symbolOf(codePoint));
  latin[LF] = END_OF_LINE;
  return { size, latin, symbolOf, isMember, isWord: Uint8Array.from(members, (member) => member[sets.length] as number) };
}

function createLookup(starts: Int32Array, cells: Uint16Array): (codePoint: number) => number {
  return (codePoint) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= codePoint) low = middle;
      else high = middle - 1;
    }
    return cells[low] as number;
  };
}
