import type { Meter, ObservableCallback } from "@opentelemetry/api";
import { afterEach, expect, it, vi } from "vitest";
import { startGauges } from "./telemetry-gauges.ts";

afterEach(() => void vi.useRealTimers());

it("a database that does not answer holds back neither a collection nor the end: the end waited for it", async () => {
  vi.useFakeTimers();
  const callbacks: ObservableCallback[] = [];
  const instrument = { addCallback: (callback: ObservableCallback) => void callbacks.push(callback) };
  const meter = { createObservableGauge: () => instrument, createObservableUpDownCounter: () => instrument } as unknown as Meter;
  const never = (): Promise<never> => new Promise(() => undefined);
  const stop = startGauges({ meter, tenancy: { listTenants: never, usage: never }, pool: () => undefined, logger: undefined as never });
  const collected = callbacks[0]?.({ observe: () => expect.fail() });
  await vi.advanceTimersByTimeAsync(2_000);
  await collected;
  const stopped = stop();
  await vi.advanceTimersByTimeAsync(2_000);
  await stopped;
});
