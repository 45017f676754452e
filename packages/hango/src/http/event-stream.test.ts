import { describe, expect, it } from "vitest";
import type { AuditRow } from "../tenancy.ts";
import type { StreamLimits } from "./door.ts";
import { createSeats, eventStream, pause, type EventSource } from "./event-stream.ts";

const limits: Pick<StreamLimits, "heartbeatMs" | "pollMs" | "maxStreams" | "maxStreamsEach"> = { maxStreams: 3, maxStreamsEach: 2, heartbeatMs: 1, pollMs: 1 };

/** Rows without an end, a moment apart. */
function busy(parts: Partial<EventSource> = {}): EventSource {
  let id = 0;
  const next: EventSource["next"] = async (_after, signal) => {
    await pause(2, signal);
    id += 1;
    return [{ id: String(id) } as AuditRow];
  };
  return { next, wait: pause, mayGoOn: async () => true, show: ({ id: shown }) => ({ id: shown }), ...parts };
}

const open = (source: EventSource, signal: AbortSignal = new AbortController().signal, onEnd: () => void = () => undefined): ReadableStream<Uint8Array> =>
  eventStream(source, { after: "0", limits, signal, onEnd });

describe("a stream of events", () => {
  it.each([
    ["shown", () => ({})],
    ["hidden", () => undefined],
  ])("ends with the right to it although the agent is never quiet (rows %s): rights were asked for only when no row had come", async (_, show) => {
    let asked = 0;
    const ended: string[] = [];
    const stream = open(busy({ show, mayGoOn: async () => ++asked < 3 }), undefined, () => ended.push("end"));
    let chunks = 0;
    for await (const chunk of stream) chunks += chunk.length > 0 ? 1 : 0;
    expect([asked, ended]).toEqual([3, ["end"]]);
    expect(chunks).toBeGreaterThan(0);
  });

  it("beats also while all that happens is hidden, so that no proxy takes it for dead", async () => {
    const reader = open(busy({ show: () => undefined })).getReader();
    await reader.read();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(": still here\n\n");
    await reader.cancel();
  });

  it("gives its place back when its reader had left before it was opened", () => {
    const seats = createSeats({ maxStreams: 1, maxStreamsEach: 1 });
    open(busy(), AbortSignal.abort(), seats.take("ada") ?? (() => undefined));
    expect(seats.take("ada")).toBeDefined();
  });
});

it("seats are bounded for each and for all, and come free again", () => {
  const { take } = createSeats(limits);
  const first = take("ada");
  expect([take("ada"), take("ada"), take("bob"), take("bob")].map((seat) => seat !== undefined)).toEqual([true, false, true, false]);
  first?.();
  expect(take("bob")).toBeDefined();
});
