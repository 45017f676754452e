/** How listings are printed: whole rows while they fit, then notices that say what is missing and how to narrow. */
import { MAX_SKIPPED } from "../limits.ts";
import type { SessionParts } from "../session/parts.ts";
import { plural } from "../text/plural.ts";
import { fitRows } from "./budget.ts";
import type { Answer } from "./tool.ts";

/** Skipped files that an answer names. */
const NAMED_SKIPPED = 10;

export interface Listing {
  readonly rows: readonly string[];
  /** What a row is: "path", "match". */
  readonly noun: string;
  readonly empty: string;
  /** True when the file system itself left some out. */
  readonly truncated: boolean;
  /** How to get at the rest; `shown` is the number of rows printed. */
  readonly narrow: (shown: number) => string;
  readonly notices?: readonly string[];
}

/** Prints a listing within the token limit. */
export function printListing(listing: Listing, parts: SessionParts): Answer {
  const { rows, noun, empty, truncated, narrow, notices = [] } = listing;
  const isCut = (shown: number): boolean => truncated || shown < rows.length;
  const after = (shown: number): readonly string[] => {
    const tooLong = shown === 0 && rows.length > 0 ? "the first alone is too long for an answer; " : "";
    const cut = isCut(shown) ? [`(truncated after ${plural(shown, noun)}: ${tooLong}${narrow(shown)})`] : [];
    return [...(rows.length === 0 ? [empty] : []), ...cut, ...notices];
  };
  const printed = fitRows(rows, after, parts);
  return { text: [...printed.rows, ...printed.after].join("\n"), details: { truncated: isCut(printed.rows.length) } };
}

/** Names what could not be searched, so that no match is not taken for no occurrence. Limits: ten names, and a quarter of the answer. */
export function skippedNotice(skipped: readonly string[], { estimator, limits }: SessionParts): readonly string[] {
  if (skipped.length === 0) return [];
  // The list itself ends at MAX_SKIPPED, so a full one is not a count.
  const atLeast = skipped.length < MAX_SKIPPED ? "" : "at least ";
  for (let named = Math.min(NAMED_SKIPPED, skipped.length); named > 0; named--) {
    const more = skipped.length > named ? ` and ${atLeast}${skipped.length - named} more` : "";
    const notice = `(not searched, because binary or not readable: ${skipped.slice(0, named).join(", ")}${more})`;
    if (estimator.estimate(notice) <= limits.toolResultTokens / 4) return [notice];
  }
  return [`(not searched, because binary or not readable: ${atLeast}${plural(skipped.length, "path")})`];
}
