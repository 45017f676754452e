/** The value that a share of the samples does not exceed, by the nearest rank. Units: those of the samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export interface Summary {
  readonly samples: number;
  readonly medianMs: number;
  /** What it costs when the machine lets it run: on a busy one the median also holds waits for a turn. */
  readonly p10Ms: number;
  readonly p99Ms: number;
}

/** Units: milliseconds. */
export function summaryOf(samples: readonly number[]): Summary {
  return { samples: samples.length, medianMs: percentile(samples, 0.5), p10Ms: percentile(samples, 0.1), p99Ms: percentile(samples, 0.99) };
}
