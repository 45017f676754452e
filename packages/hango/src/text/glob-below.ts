import { type GlobAlternative, type GlobPattern, matchGlob } from "./glob.ts";

/** What of a pattern is left below a directory: it matches "c" exactly when the pattern matches "a/b/c". Undefined when it matches nothing there. */
export function globBelow(pattern: GlobPattern, directory: string): GlobPattern | undefined {
  if (directory === "") return pattern;
  const names = directory.split("/");
  const alternatives = new Map<string, GlobAlternative>();
  for (const alternative of pattern.alternatives) for (const left of alternativesBelow(alternative, names)) alternatives.set(JSON.stringify(left), left);
  return alternatives.size === 0 ? undefined : { source: pattern.source, alternatives: [...alternatives.values()] };
}

/** Follows every way of the pattern through the names: a `**` may end before each of them. */
function alternativesBelow(alternative: GlobAlternative, names: readonly string[]): readonly GlobAlternative[] {
  const { anchored, segments } = alternative;
  if (!anchored) return [alternative];
  let places: ReadonlySet<number> = new Set([0]);
  for (const name of names) {
    const next = new Set<number>();
    const step = (place: number): void => {
      const segment = segments[place];
      if (segment === undefined) return;
      if (segment.kind === "deep") {
        next.add(place);
        step(place + 1);
      } else if (matchGlob({ source: "", alternatives: [{ anchored: true, segments: [segment] }] }, name)) next.add(place + 1);
    };
    places.forEach(step);
    places = next;
  }
  return [...places].filter((place) => place < segments.length).map((place) => ({ anchored: true, segments: segments.slice(place) }));
}
