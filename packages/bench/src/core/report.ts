/** A run's figures, and how a person reads them. */
import type { Summary } from "../stats.ts";
import type { EngineName } from "./engine.ts";

export interface Place {
  readonly engine: EngineName;
  readonly files: number;
  readonly operation: string;
}

export interface Figure extends Place {
  readonly bare: Summary;
  /** The library's files over the scoped storage. */
  readonly library: Summary;
  /** The same through an agent's session: guarded. */
  readonly session: Summary;
}

export interface Report {
  readonly date: string;
  readonly command: string;
  readonly machine: {
    readonly cpus: string;
    readonly memoryGiB: number;
    readonly node: string;
    readonly loadBefore: readonly number[];
    readonly loadAfter: readonly number[];
  };
  readonly engines: Readonly<Record<string, string>>;
  readonly figures: readonly Figure[];
  /** Where the library answered timeout, so that there is no figure. */
  readonly timeouts: readonly Place[];
}

const COLUMNS = ["engine", "files", "operation", "n", "bare ms", "p99", "hango ms", "p99", "ratio", "at p10", "session ms", "p99", "ratio"] as const;

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3));

/** Median to median, of one interleaved run. */
export function ratio(of: Summary, to: Summary): number {
  return of.medianMs / to.medianMs;
}

/** A Markdown table whose columns stand under each other. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ engine, files, operation, bare, library, session }) => [
    engine,
    files.toLocaleString("en-US"),
    operation,
    String(bare.samples),
    ...[bare, library].flatMap(({ medianMs, p99Ms }) => [shown(medianMs), shown(p99Ms)]),
    ratio(library, bare).toFixed(2),
    (library.p10Ms / bare.p10Ms).toFixed(2),
    shown(session.medianMs),
    shown(session.p99Ms),
    ratio(session, bare).toFixed(2),
  ]);
  const all = [COLUMNS, COLUMNS.map(() => ""), ...rows];
  const widths = COLUMNS.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  const isText = (at: number): boolean => at === 0 || at === 2;
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (isText(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (isText(at) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(COLUMNS), rule, ...rows.map(line)].join("\n");
}
