import { execFile } from "node:child_process";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { HangoError, processLimits } from "hango";
import type { LoadFile } from "hango/postgres";
import { packTar, type TarEntry } from "modern-tar";
import { describe, expect, it } from "vitest";
import { readTar } from "./read-tar.ts";
import type { Skipped } from "./walk-tree.ts";

const entry = (name: string, body = "x", more: object = {}): TarEntry => ({ header: { name, size: Buffer.byteLength(body), ...more }, body });

async function read(
  archive: Uint8Array | Readable,
  wants?: (path: string) => boolean,
): Promise<{ readonly files: readonly LoadFile[]; readonly skipped: readonly Skipped[] }> {
  const skipped: Skipped[] = [];
  const files: LoadFile[] = [];
  const source = archive instanceof Readable ? archive : Readable.from([Buffer.from(archive)]);
  for await (const file of readTar(source, { skipped: (one) => skipped.push(one), ...(wants === undefined ? {} : { wants }) })) files.push(file);
  return { files, skipped };
}

describe("readTar", () => {
  it.each(["plain", "gzip"])("reads files with their times and long or foreign names, %s", async (form) => {
    const long = `${"d".repeat(90)}/${"é".repeat(80)}/${"n".repeat(120)}.md`;
    const archive = await packTar([
      { header: { name: "dir/", type: "directory", size: 0 } },
      entry("./a.txt", "one\r\n", { mtime: new Date("2020-01-02T03:04:05Z") }),
      entry("empty", ""),
      entry(long, "deep"),
    ]);
    const { files, skipped } = await read(form === "gzip" ? gzipSync(archive) : archive);
    expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ["a.txt", "one\r\n"],
      ["empty", ""],
      [long, "deep"],
    ]);
    expect(files[0]?.updatedAt).toEqual(new Date("2020-01-02T03:04:05Z"));
    expect(skipped).toEqual([]);
  });

  it("hands hostile names on as they are, for the store to refuse, and names what is no file or too large", async () => {
    const archive = await packTar([
      entry("../x"),
      entry("/etc/passwd"),
      { header: { name: "hard", type: "link", linkname: "/etc/passwd", size: 0 } },
      { header: { name: "soft", type: "symlink", linkname: "..", size: 0 } },
      { header: { name: "disk", type: "block-device", size: 0 } },
      { header: { name: "pipe", type: "fifo", size: 0 } },
      entry("large", "y".repeat(processLimits.maxFileBytes + 1)),
      entry("limit", "y".repeat(processLimits.maxFileBytes)),
      entry("twice", "1"),
      entry("twice", "2"),
    ]);
    const { files, skipped } = await read(archive);
    expect(files.map(({ path }) => path)).toEqual(["../x", "/etc/passwd", "limit", "twice", "twice"]);
    expect(skipped).toEqual([
      { path: "hard", reason: "a hard link to /etc/passwd" },
      { path: "soft", reason: "a link", isFile: false },
      { path: "disk", reason: "not a regular file", isFile: false },
      { path: "pipe", reason: "not a regular file", isFile: false },
      { path: "large", reason: "over 1048576 bytes, HANGO_FS_MAX_FILE_BYTES" },
    ]);
  });

  it("leaves out what would be stored under another name or with other content, and says so", async () => {
    const archive = Buffer.from(await packTar([entry("caf_", "1"), entry("GNUSparseFile.0/a", "5\n", { pax: { "GNU.sparse.major": "1" } }), entry("z", "2")]));
    // One byte of Latin-1 where the "_" is, and the sum of the header with it.
    archive[3] = 0xe9;
    archive.fill(" ", 148, 156);
    const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    archive.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const { files, skipped } = await read(archive);
    expect(files.map(({ path }) => path)).toEqual(["z"]);
    expect(skipped).toEqual([
      { path: "caf\uFFFD", reason: "its name is not UTF-8" },
      { path: "GNUSparseFile.0/a", reason: "a sparse file" },
    ]);
  });

  it.each([false, true])(
    "names old GNU's sparse files, of GNU tar itself: their bare data was stored as the file (holes enough for more maps: %s)",
    async (many) => {
      const dir = await mkdtemp(join(tmpdir(), "hango-sparse-"));
      try {
        await writeFile(join(dir, "a"), "before");
        const file = await open(join(dir, "sparse"), "w");
        for (let at = 1; at <= (many ? 60 : 1); at++) await file.write("data", at * 1_000_000);
        await file.truncate(100_000_000);
        await file.close();
        await writeFile(join(dir, "z"), "after");
        const { stdout } = await promisify(execFile)("tar", ["c", "-S", "--format=gnu", "-V", "label", "-C", dir, "a", "sparse", "z"], {
          encoding: "buffer",
          maxBuffer: 10_000_000,
        });
        const { files, skipped } = await read(stdout);
        expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
          ["a", "before"],
          ["z", "after"],
        ]);
        expect(skipped).toEqual([
          { path: "label", reason: 'an entry of the type "V", which is no file', isFile: false },
          { path: "sparse", reason: "a sparse file" },
        ]);
        // In whatever pieces it comes.
        const pieces = Readable.from(Array.from({ length: Math.ceil(stdout.length / 7) }, (_, at) => stdout.subarray(at * 7, at * 7 + 7)));
        expect((await read(pieces)).files.map(({ path }) => path)).toEqual(["a", "z"]);
      } finally {
        await rm(dir, { recursive: true });
      }
    },
  );

  it("finds no foreign entry in the content of a file whose size stands in a PAX header", async () => {
    const inner = Buffer.from(await packTar([entry("label")]));
    inner[156] = 0x56;
    const archive = Buffer.from(await packTar([entry("big", inner.toString("latin1"), { pax: { size: String(inner.length) } }), entry("z")]));
    // The plain header says nothing of the size.
    const at = archive.lastIndexOf("big\0");
    archive.write("00000000000\0", at + 124);
    archive.write("        ", at + 148);
    const sum = archive.subarray(at, at + 512).reduce((total, each) => total + each, 0);
    archive.write(`${sum.toString(8).padStart(6, "0")}\0 `, at + 148);
    const { files, skipped } = await read(archive);
    expect(files.map(({ path, bytes }) => [path, bytes.length])).toEqual([
      ["big", inner.length],
      ["z", 1],
    ]);
    expect(skipped).toEqual([]);
  });

  it("passes by what is not wanted, whether or not it could be stored", async () => {
    const archive = await packTar([{ header: { name: "soft", type: "symlink", linkname: "..", size: 0 } }, entry("a"), entry("b")]);
    const { files, skipped } = await read(archive, (path) => path === "b");
    expect([files.map(({ path }) => path), skipped]).toEqual([["b"], []]);
  });

  it("names a file whose name is not UTF-8: it stored “bad\uFFFD.txt”, and two such names as one file", async () => {
    const archive = Buffer.from(await packTar([entry("bad1.txt", "one"), entry("bad2.txt", "two"), entry("good.txt")]));
    for (const [name, byte] of [
      ["bad1.txt", 0xff],
      ["bad2.txt", 0xfe],
    ] as const) {
      const at = archive.indexOf(name);
      archive[at + 3] = byte;
      archive.write("        ", at + 148);
      const sum = archive.subarray(at, at + 512).reduce((total, each) => total + each, 0);
      archive.write(`${sum.toString(8).padStart(6, "0")}\0 `, at + 148);
    }
    const { files, skipped } = await read(archive);
    expect(files.map(({ path }) => path)).toEqual(["good.txt"]);
    expect(skipped).toEqual([
      { path: "bad\uFFFD.txt", reason: "its name is not UTF-8" },
      { path: "bad\uFFFD.txt", reason: "its name is not UTF-8" },
    ]);
  });

  it("says so when it is no archive, ends in its middle, or has a header without end", async () => {
    const archive = await packTar([entry("a", "x".repeat(5_000)), entry("b", "y".repeat(5_000))]);
    const refused = async (bytes: Uint8Array): Promise<string> =>
      read(bytes).then(
        () => "",
        (error: unknown) => (error instanceof HangoError && error.code === "invalid_content" ? error.message : String(error)),
      );
    expect(await refused(Buffer.from("just some text, ".repeat(100)))).toMatch(/^This is no tar archive/);
    expect(await refused(archive.subarray(0, 7_000))).toBe("The archive ends in its middle. No file is stored in part.");
    // It said “what came before is whole” of these two.
    const none = "This is no tar archive, or it ends in its middle, before its first file.";
    expect([await refused(Buffer.from("garbage\n")), await refused(Buffer.alloc(0))]).toEqual([none, none]);
    expect(await refused(gzipSync(archive).subarray(0, 60))).toMatch(/ends in its middle/);
    const header = Buffer.from(await packTar([{ header: { name: "x", size: 9_000_000, type: "file" }, body: Buffer.alloc(9_000_000) }]));
    header.write("x", 156);
    header.write("        ", 148);
    const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    expect(await refused(header)).toMatch(/metadata entry exceeds/);
  });

  it.each([1_000, 65_536, 10_000_000])(
    "goes on behind what is passed by, whatever pieces the archive comes in: an import with --exclude hung for ever (%i bytes)",
    async (piece) => {
      const archive = Buffer.from(
        await packTar([entry("small"), entry("b", "y".repeat(300_000)), entry("large", "z".repeat(1_048_577)), entry("c", "y".repeat(300_000)), entry("d")]),
      );
      const pieces = Array.from({ length: Math.ceil(archive.length / piece) }, (_, at) => archive.subarray(at * piece, (at + 1) * piece));
      const { files, skipped } = await read(Readable.from(pieces), (path) => path !== "small");
      expect(files.map(({ path, bytes }) => [path, bytes.length])).toEqual([
        ["b", 300_000],
        ["c", 300_000],
        ["d", 1],
      ]);
      expect(skipped.map(({ path }) => path)).toEqual(["large"]);
    },
  );

  it("reads no further ahead than a few megabytes, however large the archive", async () => {
    const one = Buffer.from(await packTar([entry("f", "z".repeat(100_000))])).subarray(0, 512 + 100_352);
    let given = 0;
    const source = Readable.from(
      (function* () {
        for (; given < 2_000; given++) yield one;
      })(),
      { highWaterMark: 1 },
    );
    let taken = 0;
    let ahead = 0;
    await expect(async () => {
      for await (const _ of readTar(source, { skipped: () => undefined })) ahead = Math.max(ahead, given - ++taken);
    }).rejects.toThrow("ends in its middle");
    expect(taken).toBe(2_000);
    expect(ahead * 100_000).toBeLessThan(6_000_000);
  });

  it("ends at once when it is aborted while it waits for more", async () => {
    const stop = new AbortController();
    const source = new Readable({ read: () => undefined });
    source.push(Buffer.from(await packTar([entry("a")])).subarray(0, 1_024));
    await expect(async () => {
      for await (const _ of readTar(source, { skipped: () => undefined, signal: stop.signal })) setTimeout(() => stop.abort(new Error("enough")), 10);
    }).rejects.toThrow("enough");
    expect(source.destroyed).toBe(true);
  });
});
