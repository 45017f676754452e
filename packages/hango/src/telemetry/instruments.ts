import type { Counter, Histogram, Meter } from "@opentelemetry/api";
import { type MetricKey, type MetricRow, metricTable } from "./names.ts";

export type Instruments = { readonly [K in MetricKey]: K extends "duration" | "resultTokens" ? Histogram : Counter };

const made = new WeakMap<Meter, Instruments>();

/** The instruments of a meter, made once: a server opens a session for each request. */
export function instrumentsOf(meter: Meter): Instruments {
  const known = made.get(meter);
  if (known !== undefined) return known;
  const counter = ({ name, unit, description }: MetricRow): Counter => meter.createCounter(name, { unit, description });
  const histogram = ({ name, unit, description, buckets = [] }: MetricRow): Histogram =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...buckets] } });
  const instruments: Instruments = {
    operations: counter(metricTable.operations),
    bytesWritten: counter(metricTable.bytesWritten),
    duration: histogram(metricTable.duration),
    conflicts: counter(metricTable.conflicts),
    offloads: counter(metricTable.offloads),
    resultTokens: histogram(metricTable.resultTokens),
  };
  made.set(meter, instruments);
  return instruments;
}
