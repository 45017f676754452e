import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { sha256Hex } from "./sha256.ts";
import { parseUuid, uuidFor, uuidV7 } from "./uuid.ts";

describe("sha256Hex", () => {
  const reference = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

  it("equals the platform's at every length around a block, and on a subarray", () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 0xff);
      expect(sha256Hex(bytes)).toBe(reference(bytes));
      expect(sha256Hex(bytes.subarray(3))).toBe(reference(bytes.subarray(3)));
    }
  });

  it("equals the platform's on random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
        expect(sha256Hex(bytes)).toBe(reference(bytes));
      }),
    );
    const large = new Uint8Array(1_000_003).fill(97);
    expect(sha256Hex(large)).toBe(reference(large));
  });
});

describe("uuidFor", () => {
  it("is stable, also between releases, and a version 8 UUID", () => {
    expect(uuidFor("org_2ab")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidFor("org_2ab")).toBe("2154ff91-9220-8f78-95a7-47ea2b3ed098");
    expect(parseUuid(uuidFor("x"), "id")).toBe(uuidFor("x"));
  });

  it("differs for names that differ", () => {
    const names = ["org_2ab", "org_2Ab", "org_2ab ", "a", "b", "caf\u00e9", "cafe\u0301", "😀", "x".repeat(100_000)];
    expect(new Set(names.map(uuidFor)).size).toBe(names.length);
  });

  it("refuses what names nothing", () => {
    for (const name of ["", "\ud800", undefined, 7]) expect(() => uuidFor(name as string)).toThrow(/needs a name/);
  });
});

describe("parseUuid", () => {
  it("lowers upper case and takes any version", () => {
    for (const id of ["0190A1B2-0000-7000-8000-00000000000A", "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"])
      expect(parseUuid(id, "id")).toBe(id.toLowerCase());
  });

  it("refuses everything else and points at uuidFor", () => {
    const id = "0190a1b2-0000-7000-8000-00000000000a";
    for (const value of [
      "",
      "org_2ab",
      `${id}0`,
      id.slice(1),
      ` ${id}`,
      `${id}\n`,
      `{${id}}`,
      id.replaceAll("-", ""),
      `${id.slice(0, -1)}g`,
      `../${id.slice(3)}`,
      undefined,
      null,
      5,
    ]) {
      try {
        parseUuid(value as string, "tenantId");
        expect.unreachable();
      } catch (error) {
        expect(isHangoError(error, "invalid_argument")).toBe(true);
        expect((error as Error).message).toMatch(/tenantId must be a UUID.*uuidFor/);
        expect((error as Error).message).not.toMatch(/\n/);
      }
    }
  });
});

describe("uuidV7", () => {
  it("grows with each call and never repeats", () => {
    const ids = Array.from({ length: 20_000 }, uuidV7);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(true);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it("starts with the time in milliseconds", () => {
    const time = Number.parseInt(uuidV7().replace("-", "").slice(0, 12), 16);
    expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
  });
});
