import { expect, it } from "vitest";
import { parseBytes } from "./values.ts";

const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);

it("bytes are read in the server's hex form", () => {
  expect(parseBytes(`\\x${Buffer.from(all).toString("hex")}`)).toEqual(all);
  expect(parseBytes("\\x")).toEqual(new Uint8Array());
});

it("bytes are read in the server's escape form, which came back as garbage", () => {
  const escaped = [...all].map((byte) => {
    if (byte === 92) return "\\\\";
    return byte < 32 || byte > 126 ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte);
  });
  expect(parseBytes(escaped.join(""))).toEqual(all);
  expect(parseBytes("\\\\x41")).toEqual(Uint8Array.of(92, 120, 52, 49));
  expect(parseBytes("")).toEqual(new Uint8Array());
});
