/** The one glob of hango: matched here in at most pattern × path steps, or in Postgres by an equal regular expression. */
import { globEnds, hasEnds } from "./glob-ends.ts";
import { ANY, type GlobAlternative, type GlobPattern, type Segment, STAR, type Token } from "./glob-parse.ts";
import { pairAt } from "./utf8.ts";

export { type GlobAlternative, type GlobPattern, parseGlob } from "./glob-parse.ts";

/** Regular expressions over this are slower to compile than to match here. */
const maxRegexChars = 4096;

export interface GlobMeter {
  /** Characters and segments compared. */
  steps: number;
}

/** True when the path (storage form, relative to the root of the glob) matches one of the alternatives. */
export function matchGlob(pattern: GlobPattern, relativePath: string, meter: GlobMeter = { steps: 0 }): boolean {
  if (relativePath === "") return false;
  const ends = globEnds(pattern);
  if (ends !== undefined) {
    meter.steps += ends.tails.length;
    return hasEnds(ends, relativePath);
  }
  const names = relativePath.split("/");
  return pattern.alternatives.some((alternative) => matchAlternative(alternative, names, meter));
}

/** Only the last `**` is ever returned to, so each pair of pattern segment and name is tried at most once. */
function matchAlternative({ anchored, segments }: GlobAlternative, names: readonly string[], meter: GlobMeter): boolean {
  if (!anchored) return matchSegment(segments[0] as Segment, names.at(-1) as string, meter);
  let name = 0;
  let segment = 0;
  let deep = -1;
  let resume = 0;
  while (name < names.length) {
    meter.steps += 1;
    const current = segments[segment];
    if (current?.kind === "deep") {
      segment += 1;
      deep = segment;
      resume = name;
    } else if (current !== undefined && matchSegment(current, names[name] as string, meter)) {
      segment += 1;
      name += 1;
    } else if (deep >= 0) {
      segment = deep;
      resume += 1;
      name = resume;
    } else return false;
  }
  return segment === segments.length;
}

function matchSegment(segment: Segment, name: string, meter: GlobMeter): boolean {
  if (segment.kind === "deep") return true;
  if (segment.kind === "literal") return name === segment.text;
  return matchTokens(segment.tokens, name, meter);
}

/** Two pointers and one remembered star. */
function matchTokens(tokens: readonly Token[], name: string, meter: GlobMeter): boolean {
  let index = 0;
  let token = 0;
  let star = -1;
  let resume = 0;
  while (index < name.length) {
    meter.steps += 1;
    const current = tokens[token];
    if (current === STAR) {
      token += 1;
      star = token;
      resume = index;
      if (star === tokens.length) return true;
    } else if (current === ANY) {
      token += 1;
      index += pairAt(name, index) ? 2 : 1;
    } else if (current === name.charCodeAt(index)) {
      token += 1;
      index += 1;
    } else if (star >= 0) {
      token = star;
      resume += pairAt(name, resume) ? 2 : 1;
      index = resume;
    } else return false;
  }
  while (tokens[token] === STAR) token += 1;
  return token === tokens.length;
}

// ── what a storage can look up instead of matching ───────────────────────────────────────────────────

/** The literal text that every matching relative path starts with; "" when there is none. */
export function globPrefix(pattern: GlobPattern): string {
  return pattern.alternatives.map(headOf).reduce(commonHead);
}

/** The literal text that every matching relative path ends with; "" when there is none. */
export function globTail(pattern: GlobPattern): string {
  return reversed(pattern.alternatives.map((alternative) => reversed(tailOf(alternative))).reduce(commonHead));
}

function headOf({ anchored, segments }: GlobAlternative): string {
  if (!anchored) return "";
  let head = "";
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === "deep") return head;
    if (segment.kind === "wild")
      return (
        head +
        literalOf(
          segment.tokens.slice(
            0,
            segment.tokens.findIndex((token) => token < 0),
          ),
        )
      );
    head += index < segments.length - 1 ? `${segment.text}/` : segment.text;
  }
  return head;
}

function tailOf({ segments }: GlobAlternative): string {
  let tail = "";
  for (let index = segments.length - 1; index >= 0; index--) {
    const segment = segments[index] as Segment;
    // The slash after a `**` is not there when it stands for no segment.
    if (segment.kind === "deep") return tail;
    if (index < segments.length - 1) tail = `/${tail}`;
    if (segment.kind === "wild") return literalOf(segment.tokens.slice(segment.tokens.findLastIndex((token) => token < 0) + 1)) + tail;
    tail = segment.text + tail;
  }
  return tail;
}

function literalOf(tokens: readonly Token[]): string {
  return String.fromCharCode(...tokens);
}

/** Whole characters only: half a pair is not text, and no database takes it. */
function commonHead(a: string, b: string): string {
  let end = 0;
  while (end < a.length && end < b.length && a.codePointAt(end) === b.codePointAt(end)) end += pairAt(a, end) ? 2 : 1;
  return a.slice(0, end);
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

/** An anchored regular expression over the relative path that accepts what matchGlob does; undefined when it would be too long to be worth compiling. */
export function globToPostgres(pattern: GlobPattern): string | undefined {
  const regex = `^(?:${pattern.alternatives.map(alternativeRegex).join("|")})$`;
  return regex.length > maxRegexChars ? undefined : regex;
}

function alternativeRegex({ anchored, segments }: GlobAlternative): string {
  const last = segments.length - 1;
  const parts = segments.map((segment, index) => {
    if (segment.kind === "deep") return "(?:.*/)?";
    const text = segment.kind === "literal" ? [...segment.text].map(escapeRegex).join("") : tokensRegex(segment.tokens);
    return index < last ? `${text}/` : text;
  });
  return (anchored ? "" : "(?:.*/)?") + parts.join("");
}

function tokensRegex(tokens: readonly Token[]): string {
  return tokens.map((token) => (token === STAR ? "[^/]*" : token === ANY ? "[^/]" : escapeRegex(String.fromCharCode(token)))).join("");
}

/** A backslash before a letter or digit would mean something else, so only punctuation gets one. */
function escapeRegex(character: string): string {
  return /^[!-/:-@[-`{-~]$/.test(character) ? `\\${character}` : character;
}
