import { Writable } from "node:stream";
import type { FileData } from "hango";
import { expect, it } from "vitest";
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

it("ends with the error of the files", async () => {
  async function* broken(): AsyncGenerator<FileData> {
    yield* files(1);
    throw new Error("the store has gone");
  }
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  await expect(writeTar(broken(), sink)).rejects.toThrow("the store has gone");
});
