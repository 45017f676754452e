import { describe, expect, it } from "vitest";
import { tarMember } from "./tar.ts";

const text = (bytes: Uint8Array | undefined, from: number, to: number): string => new TextDecoder().decode(bytes?.subarray(from, to)).replace(/\0+$/, "");

describe("an archive member", () => {
  it("is a ustar header whose sum is right, the bytes, and zeros up to the block", () => {
    const [header, bytes, zeros] = tarMember({ path: "a/b.md", bytes: new Uint8Array(513).fill(1), modifiedAt: new Date(1_000_000) });
    expect([text(header, 0, 100), text(header, 124, 136), text(header, 136, 148), text(header, 156, 157), text(header, 257, 263)]).toEqual([
      "a/b.md",
      "00000001001",
      "00000001750",
      "0",
      "ustar",
    ]);
    const sum = header?.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
    expect(Number.parseInt(text(header, 148, 154), 8)).toBe(sum);
    expect([bytes?.length, zeros?.length]).toEqual([513, 511]);
  });

  it.each(["é.md", "a".repeat(101), `${"d".repeat(50)}/${"e".repeat(60)}`])("%s goes into a PAX record, whose length counts itself", (path) => {
    const [pax, record] = tarMember({ path, bytes: new Uint8Array() });
    expect(text(pax, 156, 157)).toBe("x");
    const said = text(record, 0, record?.length ?? 0);
    expect(said.endsWith(` path=${path}\n`)).toBe(true);
    expect(Number.parseInt(said, 10)).toBe(record?.length);
  });

  it.each([
    [1_500, "00000000001", " mtime=1.5\n"],
    [1_000, "00000000001", undefined],
    [-1, "00000000000", " mtime=-0.001\n"],
    [(8 ** 11 - 1) * 1000, "77777777777", undefined],
    [8 ** 11 * 1000, "77777777777", " mtime=8589934592\n"],
  ])("says a time of %i ms as it is: fractions were cut off, so that one file had two times by two doors", (ms, plain, record) => {
    const parts = tarMember({ path: "a", bytes: new Uint8Array(), modifiedAt: new Date(ms) });
    const text1 = text(parts[1], 0, 30);
    expect([text(parts[0], 136, 148), text(parts[0], 156, 157)]).toEqual([plain, record === undefined ? "0" : "x"]);
    expect(record === undefined || text1.endsWith(record)).toBe(true);
  });

  it("keeps a name of exactly 100 characters in the header", () =>
    expect(text(tarMember({ path: "a".repeat(100), bytes: new Uint8Array() })[0], 156, 157)).toBe("0"));
});
