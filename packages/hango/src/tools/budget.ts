/** Keeps every answer of a file tool under the token limit: rows give way, whole and from the end, to what says that they were cut. */
import type { SessionParts } from "../session/parts.ts";
import { firstFrom } from "../text/first-from.ts";
import { sliceCodePoints } from "../text/utf8.ts";

type Bound = Pick<SessionParts, "limits" | "estimator">;

/** The rows that fit, from the start, together with the lines that must follow them; `after` is told how many rows stand before. */
export function fitRows(
  rows: Iterable<string>,
  after: (shown: number) => readonly string[],
  bound: Bound,
): { readonly rows: readonly string[]; readonly after: readonly string[] } {
  const cost = (row: string): number => bound.estimator.estimate(`${row}\n`);
  const { toolResultTokens } = bound.limits;
  const kept: string[] = [];
  let used = 0;
  for (const row of rows) {
    const tokens = cost(row);
    if (used + tokens > toolResultTokens) break;
    used += tokens;
    kept.push(row);
  }
  for (;;) {
    const lines = after(kept.length);
    const needed = lines.reduce((sum, line) => sum + cost(line), 0);
    if (kept.length === 0 || used + needed <= toolResultTokens) return { rows: kept, after: lines };
    used -= cost(kept.pop() as string);
  }
}

/** The most, from 1 to `most`, of which `print` makes a text that fits; 1 when none does. */
export function mostThatFits(most: number, print: (count: number) => string, bound: Bound): number {
  return Math.max(
    1,
    firstFrom(most, (fitting) => !fits(print(fitting + 1), bound)),
  );
}

const CUT = "[answer cut]";

/** The last fence, for answers that are short by nature but quote something long: cut on whole lines, else on code points. */
export function clipToTokens(text: string, bound: Bound): string {
  if (fits(text, bound)) return text;
  const { rows } = fitRows(text.split("\n"), () => [CUT], bound);
  if (rows.length > 0) return [...rows, CUT].join("\n");
  const print = (count: number): string => `${sliceCodePoints(text, 0, count)}\n${CUT}`;
  return print(mostThatFits(text.length, print, bound));
}

function fits(text: string, { limits, estimator }: Bound): boolean {
  return estimator.estimate(text) <= limits.toolResultTokens;
}
