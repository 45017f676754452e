import { describe, expect, it } from "vitest";
import { cappedEstimator, heuristicEstimator, TOKENIZER_PIECE_BYTES } from "./estimator.ts";

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
