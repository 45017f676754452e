import { Readable, Writable } from "node:stream";
import type { FileData } from "hango";
import type { LoadFile } from "hango/postgres";
import { expect, it } from "vitest";
import { tarEnd, tarMember } from "../../../hango/src/http/tar.ts";
import { readTar } from "./read-tar.ts";
import { writeTar } from "./write-tar.ts";

const SIZE = 100_000;

async function* files(count: number): AsyncGenerator<FileData> {
  for (let file = 0; file < count; file++)
    yield { info: { path: `file-${file}`, sizeBytes: SIZE, contentType: "text/plain", version: "v" }, bytes: new Uint8Array(SIZE) };
}

it("ends with what its reader failed on, where it said only “This operation was aborted”", async () => {
  let taken = 0;
  const full = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      taken += chunk.length;
      done(taken > 1_000_000 ? Object.assign(new Error("no space left"), { code: "ENOSPC" }) : null);
    },
  });
  full.on("error", () => undefined);
  let asked = 0;
  await expect(writeTar(files(2_000), full, { onWritten: () => void asked++ })).rejects.toMatchObject({ code: "ENOSPC" });
  // It stops asking for files, too.
  expect(asked).toBeLessThan(100);
});

it("ends with why its reader went, also of a stream that forgets it, as stdout does: “DOMException [AbortError]: This operation was aborted”", async () => {
  const out = new Writable({
    write: (_chunk, _encoding, done) => void setImmediate(() => done(Object.assign(new Error("broken pipe"), { code: "EPIPE" }))),
  });
  out.on("error", () => void Object.defineProperty(out, "errored", { value: null }));
  await expect(writeTar(files(2_000), out)).rejects.toMatchObject({ code: "EPIPE" });
});

// Of the year 9998 an export said 2095.
it.each([0, 1_000, 1_764_567_890_123, -1_500, 5, 8 ** 11 * 1000 - 1000, 8 ** 11 * 1000, 253_339_228_800_000])(
  "says a time of %i ms, and any name, as the archive of the files API does",
  async (ms) => {
    for (const path of ["a.md", "é.md", `${"d".repeat(80)}/${"e".repeat(80)}`]) {
      const updatedAt = new Date(ms);
      const bytes = Buffer.from("one");
      const [byExport, byApi]: [Uint8Array[], Uint8Array[]] = [[], [...tarMember({ path, bytes, modifiedAt: updatedAt }), tarEnd()]];
      const out = new Writable({ write: (chunk: Uint8Array, _encoding, done) => done(void byExport.push(chunk)) });
      async function* one(): AsyncGenerator<FileData> {
        yield { info: { path, sizeBytes: 3, contentType: "text/plain", version: "v", updatedAt }, bytes };
      }
      await writeTar(one(), out);
      for (const archive of [byExport, byApi]) {
        const read: LoadFile[] = [];
        for await (const file of readTar(Readable.from(archive), { skipped: () => undefined })) read.push(file);
        expect(read).toMatchObject([{ path, updatedAt }]);
      }
    }
  },
);

it("ends with the error of the files", async () => {
  async function* broken(): AsyncGenerator<FileData> {
    yield* files(1);
    throw new Error("the store has gone");
  }
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  await expect(writeTar(broken(), sink)).rejects.toThrow("the store has gone");
});

it("ends on an abort while the last part is not taken: Ctrl-C did nothing where the reader had stopped reading", async () => {
  const stop = new AbortController();
  const stuck = new Writable({ highWaterMark: 10_000_000, write: () => void setImmediate(() => stop.abort(new Error("enough"))) });
  await expect(writeTar(files(2), stuck, { signal: stop.signal })).rejects.toThrow("enough");
});

it("ends with the error that comes after everything was handed over: an archive whose last part nobody took was told of as exported", async () => {
  const late = new Writable({
    highWaterMark: 10_000_000,
    write: (_chunk, _encoding, done) => void setImmediate(() => done(Object.assign(new Error("broken pipe"), { code: "EPIPE" }))),
  });
  late.on("error", () => undefined);
  await expect(writeTar(files(2), late)).rejects.toMatchObject({ code: "EPIPE" });
});
