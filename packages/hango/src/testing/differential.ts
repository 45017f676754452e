/** Native accelerators against the derived ones, on a generated tree: the same answer or the same code, whatever is asked. */
import { isHangoError } from "../errors.ts";
import type { PathFilter, Storage } from "../storage.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { print, same } from "./assert.ts";
import type { StorageCase } from "./case.ts";
import { type Random, seededRandom } from "./random.ts";
import { withoutAccelerators } from "./without-accelerators.ts";

const NAMES = ["a", "b", "a-", "a.", "a0", "ab", "B", "%", "_", "é", "\uff61", "\u{1F600}", "x.md", "y.txt", "{a}", "[b]"] as const;
const PIECES = ["a", "b", "foo", "Foo", " ", "\t", "é", "É", "\u{1F600}", "\r", ".", "(", "0", "_", "ſ", "\u212a", "\ufeff", "\u2028"] as const;
const ENDS = ["\n", "\n", "\n", "\r\n", "\r\r\n", "\n\n"] as const;
const GLOBS = [
  "*",
  "**",
  "*.md",
  "/*",
  "a*",
  "a/**",
  "**/a/*",
  "?",
  "??",
  "{a,b}",
  "{a,B}/**",
  "a*/*.{md,txt}",
  "**/*.txt",
  "\\{a\\}",
  "[b]",
  "*/*/*",
  "a**",
  "_",
  "%*",
  "{,a/}b",
] as const;
const PATTERNS = [
  "foo",
  "a",
  "^a",
  "b$",
  "a.*b",
  "\\bfoo\\b",
  "[ab]+",
  "(a|b){2}",
  "(?i)foo",
  "(?i)é",
  "[^a]$",
  "^$",
  "\\s",
  "\\w+ ",
  "a*",
  ".",
  "\\.",
  "^\\ufeff?a",
  "fo{2}",
  "(foo|é)",
  "\\Bo",
  "[[:upper:]]",
  "(?i)k",
  "\\u{1F600}b?",
] as const;
const QUERIES = 60;

/** Paths in which no file is below another, with texts of odd lines. */
export function randomTree(random: Random, files: number): ReadonlyMap<string, string> {
  const tree = new Map<string, string>();
  for (let turns = 0; tree.size < files && turns < files * 20; turns++) {
    const path = Array.from({ length: 1 + random.below(4) }, () => random.pick(NAMES)).join("/");
    const clashes = [...tree.keys()].some((other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
    if (!clashes) tree.set(path, randomText(random));
  }
  return tree;
}

function randomText(random: Random): string {
  if (random.oneIn(12)) return "";
  const start = random.oneIn(6) ? "\ufeff" : "";
  const lines = Array.from({ length: random.below(9) }, () => {
    const line = Array.from({ length: random.below(8) }, () => random.pick(PIECES)).join("");
    return (random.oneIn(15) ? "x".repeat(480 + random.below(60)) : "") + line + random.pick(ENDS);
  });
  return start + lines.join("") + (random.oneIn(2) ? random.pick(PIECES) : "");
}

/** Asks one storage twice, with and without its accelerators. Errors: a failure names the seed and the question. */
export function differentialCase(seed: number): StorageCase {
  const tree = randomTree(seededRandom(seed), 30);
  return {
    name: "answers stat, ls, lines, glob and grep as the derived forms do",
    files: Object.fromEntries(tree),
    run: async (storage) => {
      const derived = withoutAccelerators(storage);
      const random = seededRandom(seed + 1);
      for (let index = 0; index < QUERIES; index++) {
        const question = randomQuestion(random, tree);
        same(await answer(storage, question), await answer(derived, question), `seed ${seed}, question ${index}: ${question.what}`);
      }
    },
  };
}

export interface Question {
  readonly what: string;
  readonly ask: (storage: Storage, onSkip: (path: string) => void) => Promise<unknown>;
}

export async function answer(storage: Storage, question: Question): Promise<unknown> {
  const skipped: string[] = [];
  try {
    return { answer: await question.ask(storage, (path) => void skipped.push(path)), skipped: [...skipped].sort() };
  } catch (error) {
    if (isHangoError(error)) return { code: error.code };
    throw error;
  }
}

export function randomQuestion(random: Random, tree: ReadonlyMap<string, string>): Question {
  const paths = [...tree.keys()];
  const file = (): string => random.pick(paths);
  const directory = (): string => file().split("/").slice(0, random.below(3)).join("/");
  const somewhere = (): string => (random.oneIn(3) ? file() : directory());
  const limit = 1 + (random.oneIn(2) ? random.below(4) : 1000);
  const filters = random.oneIn(2) ? [randomFilter(random, paths)] : undefined;
  const shared = { limit, ...(filters === undefined ? {} : { filters }) };
  switch (random.below(5)) {
    case 0: {
      const path = random.oneIn(4) ? `${file()}/x` : somewhere();
      return { what: `stat ${print({ path, filters })}`, ask: (storage) => storage.stat(path, filters === undefined ? {} : { filters }) };
    }
    case 1: {
      const path = somewhere();
      const after = random.oneIn(2) ? random.pick(NAMES) + (random.oneIn(2) ? "/" : "") : undefined;
      const options = { ...shared, ...(after === undefined ? {} : { after }) };
      return { what: `ls ${print({ path, ...options })}`, ask: (storage) => storage.ls(path, options) };
    }
    case 2: {
      const path = file();
      const query = { offset: 1 + random.below(6), limit, column: random.oneIn(3) ? 1 + random.below(500) : 1, maxLineChars: random.pick([1, 5, 490, 5000]) };
      return { what: `lines ${print({ path, ...query })}`, ask: (storage) => storage.lines(path, query) };
    }
    case 3: {
      const query = { ...shared, pattern: random.pick(GLOBS), root: directory() };
      return { what: `glob ${print(query)}`, ask: (storage, onSkip) => storage.glob({ ...query, pattern: parseGlob(query.pattern), onSkip }) };
    }
    default: {
      const include = random.oneIn(3) ? random.pick(GLOBS) : undefined;
      const query = { ...shared, pattern: random.pick(PATTERNS), root: somewhere(), context: random.below(3) };
      return {
        what: `grep ${print({ ...query, include })}`,
        ask: (storage, onSkip) =>
          storage.grep({ ...query, pattern: parsePattern(query.pattern), ...(include === undefined ? {} : { include: parseGlob(include) }), onSkip }),
      };
    }
  }
}

export function randomFilter(random: Random, paths: readonly string[]): PathFilter {
  const entry = (): string => {
    const path = random.pick(paths).split("/");
    const cut = path.slice(0, 1 + random.below(path.length)).join("/");
    return cut + (random.oneIn(2) ? "/" : "");
  };
  const some = (most: number): readonly string[] => Array.from({ length: random.below(most + 1) }, entry);
  return { hide: random.oneIn(6) ? ["/"] : some(3), show: some(3), ...(random.oneIn(2) ? { hideAnyCase: some(2).map((path) => path.toUpperCase()) } : {}) };
}
