/** Random patterns on random texts, searched by everything that can: our own machine, RE2, Postgres and PGlite must find the same places. */
import { RE2JS } from "re2js";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { splitLines } from "../../packages/hango/src/text/lines.ts";
import { createPrng, randomPattern, randomText } from "../../packages/hango/src/text/pattern/fuzz-support.ts";
import { runMatch, tryPattern } from "../../packages/hango/src/text/pattern/match-support.ts";
import { emitRe2 } from "../../packages/hango/src/text/pattern/oracle-support.ts";
import type { Pattern } from "../../packages/hango/src/text/pattern/pattern.ts";
import { codePointLength } from "../../packages/hango/src/text/utf8.ts";

/** Texts that one pattern is tried on: enough to make a database's round trip worth while. */
const TEXTS = 5;
/** More lines than the texts of one pattern have. */
const LIMIT = 10_000;

export interface FuzzCase {
  readonly seed: number;
  readonly source: string;
  readonly pattern: Pattern;
  readonly texts: readonly string[];
}

export interface FuzzFigures {
  pairs: number;
  patterns: number;
  lines: number;
  matches: number;
  readonly differences: string[];
}

/** The case of a seed; undefined when its pattern is over a limit of the grammar. */
export function fuzzCase(seed: number): FuzzCase | undefined {
  const prng = createPrng(seed);
  const source = randomPattern(prng);
  const pattern = tryPattern(source, { ignoreCase: prng.chance(0.15) });
  if (pattern === undefined) return undefined;
  return { seed, source, pattern, texts: Array.from({ length: TEXTS }, () => randomText(prng, pattern.tree)) };
}

/** Compares all on one case, and adds what came out. `storages` are by name; each gets the texts in a directory of the seed's own. */
export async function compareAll({ seed, source, pattern, texts }: FuzzCase, storages: ReadonlyMap<string, Storage>, figures: FuzzFigures): Promise<void> {
  const expected = texts.map((text) => shown(runMatch(pattern, text, { limit: LIMIT }).matches));
  const differ = (who: string, at: number, found: string): void =>
    void (
      found !== expected[at] &&
      figures.differences.push(`seed ${seed}: ${JSON.stringify(source)} on ${JSON.stringify(texts[at])}: ${who} ${found}, the machine ${expected[at]}`)
    );
  const oracle = RE2JS.compile(emitRe2(pattern.tree));
  texts.forEach((text, at) => differ("re2js", at, shown(byOracle(oracle, text))));
  for (const [name, storage] of storages) {
    const answers = await searched(storage, { seed, source, pattern, texts });
    answers.forEach((answer, at) => differ(name, at, answer));
  }
  figures.pairs += texts.length;
  figures.patterns += 1;
  figures.lines += texts.reduce((sum, text) => sum + splitLines(text).length, 0);
  figures.matches += expected.join(" ").split(" ").filter(Boolean).length;
}

type Places = readonly { readonly line: number; readonly column: number }[];

/** `"1:3 4:1"`: line and column of each match. */
function shown(places: Places): string {
  return places.map(({ line, column }) => `${line}:${column}`).join(" ");
}

function byOracle(oracle: RE2JS, content: string): Places {
  return splitLines(content).flatMap((text, index) => {
    const matcher = oracle.matcher(text);
    return matcher.find() ? [{ line: index + 1, column: codePointLength(text.slice(0, matcher.start())) + 1 }] : [];
  });
}

async function searched(storage: Storage, { seed, pattern, texts }: FuzzCase): Promise<readonly string[]> {
  const root = `s${seed}`;
  const path = (at: number): string => `${root}/f${at}`;
  const encoder = new TextEncoder();
  await storage.apply?.(texts.map((text, at) => ({ kind: "create", path: path(at), bytes: encoder.encode(text) })));
  const hits = await storage.grep({ pattern, root, context: 0, limit: LIMIT });
  await storage.apply?.(texts.map((_, at) => ({ kind: "delete", path: path(at) })));
  return texts.map((_, at) => shown(hits.filter((hit) => hit.path === path(at))));
}
