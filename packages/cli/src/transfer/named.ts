/** Names of files in one sentence: the first few, and how many more. */
import { count, plain } from "../output.ts";

const NAMED = 5;
/** An archive may hold a name of megabytes. */
const MAX_SHOWN_CHARS = 1_000;

/** `total` counts also those that `names` does not hold. */
export function named(names: readonly string[], total: number): string {
  const shown = names.slice(0, NAMED).map(clipped).join(", ");
  const more = total - Math.min(NAMED, names.length);
  return more > 0 ? `${shown} and ${count(more)} more` : shown;
}

/** The same for the end of a transfer, which also has them one a line, or says how to get that. */
export function listed(names: readonly string[], total: number, { all }: { readonly all: boolean }): string {
  if (!all || names.length <= 1) return total > NAMED ? `${named(names, total)} (--verbose names them)` : named(names, total);
  const rest = total > names.length ? [`and ${count(total - names.length)} more`] : [];
  return [...names.map(clipped), ...rest].map((line) => `\n  ${line}`).join("");
}

function clipped(name: string): string {
  return plain(name.length > MAX_SHOWN_CHARS ? `${name.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…` : name);
}
