/** Patterns that say no more than how a path begins and ends, as most do: they need no matcher, only two comparisons. */
import { type GlobAlternative, type GlobPattern, STAR } from "./glob-parse.ts";

/** A path matches exactly when it begins with `head`, and "/" and the path end with one of `tails`. */
export interface GlobEnds {
  /** Whole directories, "docs/"; "" for none. */
  readonly head: string;
  /** ".md" of a name, "/package.json" for a whole one, "" for any. A slash stands at the front or nowhere, so that head and tail never need the same character twice. */
  readonly tails: readonly string[];
}

/** Patterns can't change, and each is matched against many paths. */
const known = new WeakMap<GlobPattern, GlobEnds | "more">();

/** The ends that say all of a pattern, such as `docs/**`, `*.md`, `src/**\/*.{ts,tsx}` and `**\/package.json`; undefined when it says more. */
export function globEnds(pattern: GlobPattern): GlobEnds | undefined {
  const made = known.get(pattern) ?? endsOf(pattern) ?? "more";
  known.set(pattern, made);
  return made === "more" ? undefined : made;
}

/** True when the path has the ends. */
export function hasEnds({ head, tails }: GlobEnds, path: string): boolean {
  return path.startsWith(head) && tails.some((tail) => path.endsWith(tail) || (tail.length === path.length + 1 && tail === `/${path}`));
}

function endsOf({ alternatives }: GlobPattern): GlobEnds | undefined {
  const tails: string[] = [];
  let head: string | undefined;
  for (const alternative of alternatives) {
    const ends = endsOfOne(alternative);
    if (ends === undefined || (head ?? ends.head) !== ends.head) return undefined;
    head = ends.head;
    tails.push(ends.tail);
  }
  return head === undefined ? undefined : { head, tails: tails.includes("") ? [""] : tails };
}

function endsOfOne({ anchored, segments }: GlobAlternative): { readonly head: string; readonly tail: string } | undefined {
  const last = segments.at(-1);
  const directories = segments.slice(0, -1);
  // A name alone is looked for at any depth, as if a `**` stood before it.
  if (anchored && directories.pop()?.kind !== "deep") return undefined;
  let head = "";
  for (const segment of directories) {
    if (segment.kind !== "literal") return undefined;
    head += `${segment.text}/`;
  }
  if (last?.kind === "literal") return { head, tail: `/${last.text}` };
  if (last?.kind !== "wild") return undefined;
  const [first, ...rest] = last.tokens;
  return first === STAR && rest.every((token) => token >= 0) ? { head, tail: String.fromCharCode(...rest) } : undefined;
}
