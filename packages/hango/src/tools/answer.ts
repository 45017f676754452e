/** How listings are printed: whole rows while they fit, then notices that say what is missing and how to narrow. */
import type { SessionParts } from "../session/parts.ts";
import { fittingRows } from "./budget.ts";
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
  const kept = fittingRows(rows, parts);
  const isCut = truncated || kept.length < rows.length;
  const body = rows.length === 0 ? [empty] : kept;
  const cut = isCut ? [`(truncated after ${plural(kept.length, noun)}: ${narrow(kept.length)})`] : [];
  return { text: [...body, ...cut, ...notices].join("\n"), details: { truncated: isCut } };
}

export function plural(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  if (noun.endsWith("y")) return `${count} ${noun.slice(0, -1)}ies`;
  return `${count} ${noun}${noun.endsWith("ch") ? "es" : "s"}`;
}

/** Names what could not be searched, so that no match is not taken for no occurrence. */
export function skippedNotice(skipped: readonly string[]): readonly string[] {
  if (skipped.length === 0) return [];
  const more = skipped.length > NAMED_SKIPPED ? ` and ${skipped.length - NAMED_SKIPPED} more` : "";
  return [`(not searched, because binary or not readable: ${skipped.slice(0, NAMED_SKIPPED).join(", ")}${more})`];
}
