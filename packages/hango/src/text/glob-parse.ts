/** Reads a glob: `*`, `**`, `?`, `{a,b}` and `\` are special, everything else is literal, brackets included. */
import { HangoError } from "../errors.ts";
import { MAX_GLOB_ALTERNATIVES, MAX_GLOB_BYTES, MAX_GLOB_NESTING } from "../limits.ts";
import { forbiddenCharacter } from "../path/characters.ts";
import { quoteText } from "./quote.ts";
import { utf8Length } from "./utf8.ts";

/** A UTF-16 unit, or one of these. A pair of stars is kept apart until the segment it stands in is known. */
export type Token = number;
export const STAR: Token = -1;
export const ANY: Token = -2;
const STARS: Token = -3;
const SLASH: Token = 0x2f;

export type Segment =
  | { readonly kind: "literal"; readonly text: string }
  /** Never two stars in a row. */
  | { readonly kind: "wild"; readonly tokens: readonly Token[] }
  /** Zero or more segments; never last, never two in a row. A final `**` is this and then `*`: one or more. */
  | { readonly kind: "deep" };

export interface GlobAlternative {
  /** False: one segment, matched against the last one of the path at any depth. */
  readonly anchored: boolean;
  readonly segments: readonly Segment[];
}

export interface GlobPattern {
  readonly source: string;
  readonly alternatives: readonly GlobAlternative[];
}

/** Parses a pattern. Errors: invalid_argument when empty or no string, invalid_pattern naming the rule. Limits: 512 bytes, 64 alternatives, braces nested 4. */
export function parseGlob(pattern: string): GlobPattern {
  if (typeof pattern !== "string") throw new HangoError("invalid_argument", 'The glob pattern must be a string such as "**/*.md".');
  if (pattern === "") throw new HangoError("invalid_argument", 'The glob pattern is empty. Use a pattern such as "**/*.md".');
  if (pattern.length > MAX_GLOB_BYTES || utf8Length(pattern) > MAX_GLOB_BYTES) throw invalid(pattern, `it is longer than ${MAX_GLOB_BYTES} bytes`);
  const forbidden = forbiddenCharacter(pattern);
  if (forbidden !== undefined) throw invalid(pattern, `it has a ${forbidden}, which no path can hold`);
  const alternatives = new Map<string, GlobAlternative>();
  for (const tokens of expand(readSequence({ pattern, at: 0 }, 0), pattern)) {
    const alternative = toAlternative(tokens, pattern);
    alternatives.set(JSON.stringify(alternative), alternative);
  }
  return { source: pattern, alternatives: [...alternatives.values()] };
}

function invalid(pattern: string, what: string): HangoError {
  return new HangoError("invalid_pattern", `The glob pattern ${quoteText(pattern)} is not valid: ${what}.`);
}

// ── braces ───────────────────────────────────────────────────────────────────────────────────────────

interface Reader {
  readonly pattern: string;
  at: number;
}
/** Tokens and groups in a row; a group is a list of branches. */
type Sequence = (Token | readonly Sequence[])[];

function readSequence(reader: Reader, depth: number): Sequence {
  const { pattern } = reader;
  const sequence: Sequence = [];
  while (reader.at < pattern.length) {
    const character = pattern.charAt(reader.at);
    if (depth > 0 && (character === "," || character === "}")) break;
    if (character === "{") {
      sequence.push(...readBraces(reader, depth + 1));
      continue;
    }
    const run = character === "*" ? starRun(pattern, reader.at) : 1;
    sequence.push(character === "\\" ? escaped(reader) : tokenOf(character, run));
    reader.at += run;
  }
  return sequence;
}

function readBraces(reader: Reader, depth: number): Sequence {
  const { pattern, at: opened } = reader;
  if (depth > MAX_GLOB_NESTING) throw invalid(pattern, `its braces are nested deeper than ${MAX_GLOB_NESTING}`);
  const branches: Sequence[] = [];
  do {
    reader.at += 1;
    branches.push(readSequence(reader, depth));
  } while (pattern.charAt(reader.at) === ",");
  if (pattern.charAt(reader.at) !== "}") throw invalid(pattern, `the brace at character ${opened + 1} is not closed; write \\{ for a literal one`);
  reader.at += 1;
  // Without a comma there is no choice: the braces are part of the name.
  return branches.length > 1 ? [branches] : ["{".charCodeAt(0), ...(branches[0] as Sequence), "}".charCodeAt(0)];
}

function starRun(pattern: string, at: number): number {
  let end = at;
  while (pattern.charAt(end) === "*") end += 1;
  return end - at;
}

function tokenOf(character: string, run: number): Token {
  if (character === "*") return run === 2 ? STARS : STAR;
  return character === "?" ? ANY : character.charCodeAt(0);
}

function escaped(reader: Reader): Token {
  reader.at += 1;
  const character = reader.pattern.charAt(reader.at);
  if (character === "") throw invalid(reader.pattern, "it ends in a backslash, which escapes nothing");
  if (character === "/") throw invalid(reader.pattern, "a slash can't be escaped: it always separates names");
  return character.charCodeAt(0);
}

function expand(sequence: Sequence, pattern: string): Token[][] {
  if (countOf(sequence) > MAX_GLOB_ALTERNATIVES) throw invalid(pattern, `its braces make more than ${MAX_GLOB_ALTERNATIVES} alternatives`);
  let made: Token[][] = [[]];
  for (const part of sequence) {
    if (typeof part === "number") for (const tokens of made) tokens.push(part);
    else {
      const branches = part.flatMap((branch) => expand(branch, pattern));
      made = made.flatMap((tokens) => branches.map((branch) => [...tokens, ...branch]));
    }
  }
  return made;
}

/** Counted before anything is expanded: a row of groups multiplies. */
function countOf(sequence: Sequence): number {
  return sequence.reduce<number>((product, part) => (typeof part === "number" ? product : product * part.reduce((sum, branch) => sum + countOf(branch), 0)), 1);
}

// ── segments ─────────────────────────────────────────────────────────────────────────────────────────

function toAlternative(tokens: readonly Token[], pattern: string): GlobAlternative {
  if (tokens.length === 0) throw invalid(pattern, "one of its alternatives is empty");
  if (tokens.at(-1) === SLASH) throw invalid(pattern, "it ends in a slash, but glob lists files: use dir/** for what is below a directory");
  const segments: Segment[] = [];
  let rest = tokens;
  while (rest.length > 0) {
    const slash = rest.indexOf(SLASH);
    const end = slash < 0 ? rest.length : slash;
    if (end > 0) addSegment(segments, rest.slice(0, end), pattern);
    rest = rest.slice(end + 1);
  }
  const deepest = segments.at(-1)?.kind === "deep";
  if (deepest) segments.push({ kind: "wild", tokens: [STAR] });
  return { anchored: deepest || tokens.includes(SLASH), segments };
}

function addSegment(segments: Segment[], tokens: readonly Token[], pattern: string): void {
  if (tokens.length === 1 && tokens[0] === STARS) {
    if (segments.at(-1)?.kind !== "deep") segments.push({ kind: "deep" });
    return;
  }
  // Stars next to other characters, or that meet only through expansion, are one.
  const single = tokens.map((token) => (token === STARS ? STAR : token)).filter((token, index, all) => token !== STAR || all[index - 1] !== STAR);
  if (single.some((token) => token < 0)) {
    segments.push({ kind: "wild", tokens: single });
    return;
  }
  const text = String.fromCharCode(...single);
  if (text === "." || text === "..") throw invalid(pattern, `it has a "${text}" segment; patterns are relative to the path given, so leave it out`);
  segments.push({ kind: "literal", text });
}
