/** The figures of a run, as a table to read. */
import type { Outcome } from "./perform.ts";
import type { Stall } from "./stall.ts";

/** What a grep is promised, and what globs and edits are held to as well, although their own deadline is a minute. */
const TIMEOUT_MS = 2_000;
const GRACE_MS = 500;

const KINDS = ["grep", "glob", "edit"] as const;

/** By how much it came too late; 0 or less when it did not. */
export function lateMs({ ms }: Outcome): number {
  return ms - TIMEOUT_MS - GRACE_MS;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function column(outcomes: readonly Outcome[]): ReadonlyMap<string, string> {
  const count = (keep: (outcome: Outcome) => boolean): string => String(outcomes.filter(keep).length);
  const sorted = outcomes.map(({ ms }) => ms).sort((a, b) => a - b);
  const codes = [...new Set(outcomes.map(({ ended }) => ended))].filter((ended) => ended !== "answered" && ended !== "timeout").sort();
  const longest = outcomes.map(({ stall }) => stall).reduce<Stall>((a, b) => (b.ms > a.ms ? b : a), { ms: 0, cpuMs: 0 });
  const mostCpu = outcomes.map(({ stall }) => stall.cpuMs).reduce((a, b) => Math.max(a, b), 0);
  return new Map([
    ["inputs", String(outcomes.length)],
    ["answered", count(({ ended }) => ended === "answered")],
    ["timeout", count(({ ended }) => ended === "timeout")],
    ...codes.map((code): [string, string] => [code, count(({ ended }) => ended === code)]),
    ["broken", count(({ broken }) => broken !== undefined)],
    [`over ${TIMEOUT_MS} + ${GRACE_MS} ms`, count((outcome) => lateMs(outcome) > 0)],
    [`max ms over ${TIMEOUT_MS}`, String(Math.max(0, Math.round(quantile(sorted, 1) - TIMEOUT_MS)))],
    ["p50 ms", quantile(sorted, 0.5).toFixed(1)],
    ["p99 ms", quantile(sorted, 0.99).toFixed(1)],
    ["max ms", quantile(sorted, 1).toFixed(1)],
    ["longest stall ms (CPU in it)", `${Math.round(longest.ms)} (${Math.round(longest.cpuMs)})`],
    ["longest CPU of a stall ms", String(Math.round(mostCpu))],
    ["longest recovery after a timeout ms", String(Math.round(outcomes.reduce((most, { recoveryMs }) => Math.max(most, recoveryMs), 0)))],
  ]);
}

/** One column for each kind and one for all. */
export function printTable(title: string, outcomes: readonly Outcome[]): string {
  const columns = [
    ...KINDS.map((kind): [string, readonly Outcome[]] => [kind, outcomes.filter((outcome) => outcome.kind === kind)]),
    ["all", outcomes] as const,
  ].map(([name, own]): readonly [string, ReadonlyMap<string, string>] => [name, column(own)]);
  const rows = [...column(outcomes).keys()];
  const line = (first: string, cells: readonly string[]): string => `${first.padEnd(36)}${cells.map((cell) => cell.padStart(14)).join("")}\n`;
  return (
    line(
      title,
      columns.map(([name]) => name),
    ) +
    rows
      .map((row) =>
        line(
          row,
          columns.map(([, cells]) => cells.get(row) ?? "0"),
        ),
      )
      .join("")
  );
}
