import { describe, expect, it } from "vitest";
import { uuidFor } from "../path/uuid.ts";
import { memoryStorage } from "../storages/memory.ts";
import { cappedEstimator, dependableEstimator, heuristicEstimator, TOKENIZER_PIECE_BYTES } from "./estimator.ts";
import { openSession } from "./session.ts";
import type { Estimator } from "./vocabulary.ts";

describe("the heuristic", () => {
  it("counts bytes of UTF-8, never characters", () => {
    expect([
      heuristicEstimator.estimate(""),
      heuristicEstimator.estimate("abcd"),
      heuristicEstimator.estimate("abcde"),
      heuristicEstimator.estimate("€".repeat(400)),
    ]).toEqual([0, 1, 2, 300]);
  });

  const request = { messages: [{ role: "user", content: "hello" }] };
  const base = heuristicEstimator.estimateRequest(request);
  for (const [what, more] of Object.entries({
    "a system block": { system: ["be brief"] },
    "a message": { messages: [...request.messages, { role: "assistant", content: "yes" }] },
    "a tool definition": { tools: [{ name: "ls", description: "List a directory." }] },
    "an injected fragment": { injected: ["a fragment"] },
  }))
    it(`counts ${what}`, () => expect(heuristicEstimator.estimateRequest({ ...request, ...more })).toBeGreaterThan(base));

  it("counts an image by a fixed cost and not by its encoding", () => {
    const image = (data: unknown): number => heuristicEstimator.estimateRequest({ messages: [{ role: "user", content: [{ type: "image", data }] }] });
    expect(image("A".repeat(1_000_000))).toBe(image("A"));
    expect(image(new Uint8Array(10))).toBe(image("A"));
  });

  it("survives a message that holds itself, and one text twice", () => {
    const part = { type: "text", text: "twice" };
    const message: Record<string, unknown> = { role: "user", content: [part, part], n: 1n };
    const once = heuristicEstimator.estimateRequest({ messages: [{ ...message, content: [part] }] });
    expect(heuristicEstimator.estimateRequest({ messages: [message] })).toBeGreaterThan(once);
    message["self"] = message;
    expect(heuristicEstimator.estimateRequest({ messages: [message] })).toBeGreaterThan(once);
  });
});

it("feeds a tokenizer pieces of at most 4 kB and never half a character", () => {
  const pieces: string[] = [];
  const estimator = cappedEstimator((text) => {
    pieces.push(text);
    return text.length;
  });
  const text = "漢😀".repeat(5_000);
  expect(estimator.estimate(text)).toBe(text.length);
  expect(pieces.join("")).toBe(text);
  expect(pieces.every((piece) => piece.isWellFormed() && new TextEncoder().encode(piece).length <= TOKENIZER_PIECE_BYTES)).toBe(true);
  expect(pieces.length).toBeGreaterThan(10);
});

describe("an estimator that can't be relied on", () => {
  const reserved = (): never => {
    throw new Error("disallowed special token <|endoftext|>");
  };
  const bad: readonly (readonly [string, () => unknown])[] = [
    ["throws", reserved],
    ["answers NaN", () => Number.NaN],
    ["answers Infinity", () => Number.POSITIVE_INFINITY],
    ["answers less than nothing", () => -1],
    ["answers a string", () => "5"],
    ["answers nothing", () => undefined],
  ];
  for (const [what, count] of bad)
    it(`and ${what} is answered for by the heuristic: "estimate: NaN put every small result into a file"`, async () => {
      const estimator = { estimate: count, estimateRequest: count } as Estimator;
      const dependable = dependableEstimator(estimator);
      expect(dependable.estimate("x".repeat(40))).toBe(10);
      expect(dependable.estimateRequest({ messages: ["x"] })).toBe(heuristicEstimator.estimateRequest({ messages: ["x"] }));
      const session = openSession({ storage: memoryStorage(), sessionId: uuidFor("s1"), estimator, limits: { toolResultTokens: 100 } });
      const small = { isError: false, forModel: "small" };
      const call = { toolCallId: "1", toolName: "q" };
      expect(await session.offload(small, call)).toBe(small);
      expect((await session.offload({ ...small, forModel: "x".repeat(4_000) }, call)).details).toMatchObject({ offload: { tokensBefore: 1_000, saved: true } });
    });

  it("and one that can is asked", () => {
    expect(dependableEstimator({ estimate: () => 7, estimateRequest: () => 8 }).estimate("x")).toBe(7);
  });
});
