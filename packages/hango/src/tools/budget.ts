/** Keeps every answer of a file tool under the token limit: rows are printed while they fit, and what is cut is said. */
import type { SessionParts } from "../session/parts.ts";

/** Tokens kept free for what stands around the rows: footers and notices. */
const NOTICE_TOKENS = 300;

type Bound = Pick<SessionParts, "limits" | "estimator">;

/** Tokens that rows may use. */
export function rowBudget({ limits }: Bound): number {
  return Math.max(1, limits.toolResultTokens - Math.min(NOTICE_TOKENS, Math.floor(limits.toolResultTokens / 4)));
}

/** The rows that fit, whole, from the start. Each counts with the LF that follows it. */
export function fittingRows(rows: Iterable<string>, bound: Bound): readonly string[] {
  const kept: string[] = [];
  let left = rowBudget(bound);
  for (const row of rows) {
    left -= bound.estimator.estimate(`${row}\n`);
    if (left < 0) break;
    kept.push(row);
  }
  return kept;
}

/** How many code points of a text fit, at least one. */
export function fittingCodePoints(text: string, bound: Bound): number {
  const points = [...text];
  const budget = rowBudget(bound);
  let low = 1;
  let high = points.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bound.estimator.estimate(points.slice(0, middle).join("")) <= budget) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The last fence, for answers that are short by nature but quote something long: cut on whole lines, else on code points. */
export function clipToTokens(text: string, bound: Bound): string {
  const { estimator, limits } = bound;
  if (estimator.estimate(text) <= limits.toolResultTokens) return text;
  const kept = fittingRows(text.split("\n"), bound);
  const head = kept.length > 0 ? kept.join("\n") : [...text].slice(0, fittingCodePoints(text, bound)).join("");
  return `${head}\n[answer cut]`;
}
