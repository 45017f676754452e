/** The files of a run: the same for the same number, so that two runs compare. Lines as code has them; some hold what the greps look for. */

export interface CorpusFile {
  /** As a key: "/src/p0/m3/f7.ts". */
  readonly path: string;
  readonly text: string;
}

export const FILES_PER_DIRECTORY = 20;
const DIRECTORIES_PER_PACKAGE = 50;
const EXTENSIONS = ["ts", "ts", "js", "md", "json"] as const;
/** In three files of a corpus. */
export const RARE = "xyzzyPlugh";
/** In about half of the files. */
export const COMMON = "handleRequest";
/** In about one file of a hundred; a pattern without a text that it requires. */
export const REGEX = "[a-z]+_[0-9]{3,}";

const WORDS = ["const", "return", "import", "export", "value", "await", "string", "number", "index", "result", "options", "path", "length", "schema"];

/** A small linear congruential generator: fast, and the same everywhere. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function lineOf(random: (below: number) => number): string {
  const words = Array.from({ length: 2 + random(9) }, () => WORDS[random(WORDS.length)] ?? "");
  return `${"  ".repeat(random(4))}${words.join(" ")};`;
}

function poolOf(): readonly string[] {
  const random = randomFrom(7);
  return Array.from({ length: 2_000 }, () => lineOf(random));
}

export function corpusPath(at: number): string {
  const directory = Math.floor(at / FILES_PER_DIRECTORY);
  const file = at % FILES_PER_DIRECTORY;
  return `/src/p${Math.floor(directory / DIRECTORIES_PER_PACKAGE)}/m${directory % DIRECTORIES_PER_PACKAGE}/f${file}.${EXTENSIONS[file % EXTENSIONS.length] ?? "ts"}`;
}

/** Makes `count` files of 1 to 11 KB, about 6 KB on average. */
export function* corpusOf(count: number): Generator<CorpusFile> {
  const pool = poolOf();
  const random = randomFrom(count);
  const rare = new Set([Math.floor(count * 0.3), Math.floor(count * 0.6), count - 2]);
  for (let at = 0; at < count; at++) {
    const lines = Array.from({ length: 30 + random(240) }, () => pool[random(pool.length)] ?? "");
    const place = (text: string): void => void (lines[random(lines.length)] = text);
    if (rare.has(at)) place(`  const ${RARE} = 1;`);
    if (at % 2 === 0) for (let n = 0; n < 3; n++) place(`  ${COMMON}(options);`);
    if (at % 100 === 7) place("  const build_12345 = value;");
    yield { path: corpusPath(at), text: `${lines.join("\n")}\n` };
  }
}

/** One text of exactly that many bytes. */
export function textOfBytes(bytes: number, seed = 1): string {
  const pool = poolOf();
  const random = randomFrom(seed);
  let text = "";
  while (text.length < bytes) text += `${pool[random(pool.length)] ?? ""}\n`;
  return `${text.slice(0, bytes - 1)}\n`;
}
