import { expect, it } from "vitest";
import { MAX_SEEN_PATHS, MAX_SEEN_TEXT_BYTES, MAX_SEEN_TOTAL_BYTES } from "../limits.ts";
import { memorySeen, seenTexts } from "./seen.ts";

it("remembers the last 10,000 paths: a path seen again is young again", async () => {
  const seen = memorySeen();
  for (let index = 0; index < MAX_SEEN_PATHS; index++) await seen.set(`/${index}`, "v");
  await seen.set("/0", "v2");
  expect(await seen.get("/1")).toBe("v");
  await seen.set("/new", "v");
  expect([await seen.get("/0"), await seen.get("/1"), await seen.get("/2")]).toEqual(["v2", undefined, "v"]);
});

it("takes any name as a path", async () => {
  const seen = memorySeen();
  expect(await seen.get("/__proto__")).toBeUndefined();
  await seen.set("/__proto__", "v");
  expect(await seen.get("/__proto__")).toBe("v");
  await seen.delete("/__proto__");
  expect(await seen.get("/__proto__")).toBeUndefined();
});

it("keeps a text of 64 KiB and not one byte more, counted in UTF-8", () => {
  const texts = seenTexts();
  for (const size of [MAX_SEEN_TEXT_BYTES - 1, MAX_SEEN_TEXT_BYTES, MAX_SEEN_TEXT_BYTES + 1]) texts.set(`/${size}`, "v", "x".repeat(size));
  texts.set("/euro", "v", "€".repeat(MAX_SEEN_TEXT_BYTES / 3 + 1));
  const kept = (path: string): boolean => texts.get(path, "v") !== undefined;
  expect([kept(`/${MAX_SEEN_TEXT_BYTES - 1}`), kept(`/${MAX_SEEN_TEXT_BYTES}`), kept(`/${MAX_SEEN_TEXT_BYTES + 1}`), kept("/euro")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it("keeps 1 MiB in all: the oldest goes first, and a text replaced counts once", () => {
  const texts = seenTexts();
  const full = MAX_SEEN_TOTAL_BYTES / MAX_SEEN_TEXT_BYTES;
  const text = "x".repeat(MAX_SEEN_TEXT_BYTES);
  for (let index = 0; index < full; index++) texts.set(`/${index}`, "v", text);
  texts.set("/0", "v", text);
  expect(texts.get("/1", "v")).toBe(text);
  texts.set("/more", "v", "y");
  expect([texts.get("/0", "v") === text, texts.get("/1", "v"), texts.get("/2", "v") === text]).toEqual([true, undefined, true]);
});

it("gives a text only for its own version", () => {
  const texts = seenTexts();
  texts.set("/a", "v1", "one");
  expect([texts.get("/a", "v1"), texts.get("/a", "v2")]).toEqual(["one", undefined]);
  texts.delete("/a");
  expect(texts.get("/a", "v1")).toBeUndefined();
});
