import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { unpackSeed } from "./unpack-seed.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "hango-unpack-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function entry(name: string, content: string, type = "0", size = content.length): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(size.toString(8).padStart(11, "0"), 124);
  header.write(type, 156);
  const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  padded.write(content);
  return Buffer.concat([header, padded]);
}

function pack(...entries: readonly Buffer[]): string {
  const file = join(base, "seed.tar.gz");
  writeFileSync(file, gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)])));
  return file;
}

it("unpacks files of every length around a block, and empty directories", async () => {
  const lengths = [0, 1, 511, 512, 513];
  const out = join(base, "out");
  await unpackSeed(pack(entry("/pg_wal", "", "5"), ...lengths.map((length) => entry(`/base/${length}`, "x".repeat(length)))), out);
  expect(readdirSync(out).sort()).toEqual(["base", "pg_wal"]);
  expect(lengths.map((length) => readFileSync(join(out, "base", String(length)), "utf8").length)).toEqual(lengths);
});

it.each([
  ["a length that is no number", entry("/a", "x", "0", Number.NaN)],
  ["content that ends too early", entry("/a", "x", "0", 9999)],
  ["a name that leaves the directory", entry("/../../a", "x")],
])("refuses %s", async (_, damaged) => {
  await expect(unpackSeed(pack(damaged), join(base, "out"))).rejects.toMatchObject({ code: "internal" });
});
