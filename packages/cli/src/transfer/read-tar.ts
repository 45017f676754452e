/** Reads the files of a tar archive as they come, packed with gzip or not; nothing of it is ever held whole. */
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { HangoError, processLimits } from "hango";
import type { LoadFile } from "hango/postgres";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { type Foreign, withoutForeign } from "./foreign-entries.ts";
import { type Skipped, tooLarge } from "./walk-tree.ts";

export interface ReadTarOptions {
  /** Told of every entry that is no file, or too large. */
  readonly skipped: (skipped: Skipped) => void;
  /** Asked of each path. False passes it by. */
  readonly wants?: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

const GZIP: readonly number[] = [0x1f, 0x8b];

/** Errors: invalid_content for what is no archive, or ends in its middle; an abort rethrows its reason. */
export async function* readTar(source: Readable, { skipped, wants = () => true, signal }: ReadTarOptions): AsyncGenerator<LoadFile, void, undefined> {
  const archive = await unpacked(source);
  let entriesRead = 0;
  const end = (): void => void archive.destroy(signal?.reason as Error);
  signal?.addEventListener("abort", end, { once: true });
  try {
    const decoder = createTarDecoder({ strict: true });
    const foreign = new Map<number, Foreign>();
    const known = Readable.from(
      withoutForeign(archive, (place, what) => void foreign.set(place, what)),
      { objectMode: false },
    );
    const entries = (Readable.toWeb(known) as ReadableStream<Uint8Array>).pipeThrough(decoder);
    for await (const entry of entries as unknown as AsyncIterable<ParsedTarEntry>) {
      signal?.throwIfAborted();
      entriesRead += 1;
      const { header } = entry;
      const path = header.name.replace(/^(?:\.\/)+/, "");
      const passed = header.type === "directory" || !wants(path);
      const refused = passed ? undefined : (foreign.get(entriesRead) ?? refusal(entry));
      foreign.delete(entriesRead);
      if (refused !== undefined) skipped({ path, ...refused });
      if (passed || refused !== undefined) await passOver(entry);
      else yield { path, bytes: await bytesOf(entry), ...timeOf(header.mtime) };
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw readFailure(error, entriesRead);
  } finally {
    signal?.removeEventListener("abort", end);
    source.destroy();
  }
}

/** What stands behind gzip is known by its first two bytes. */
async function unpacked(source: Readable): Promise<Readable> {
  const iterator: AsyncIterator<Buffer> = source.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < GZIP.length) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  await iterator.return?.();
  if (head.length > 0) source.unshift(head);
  if (!GZIP.every((byte, at) => head[at] === byte)) return source;
  // Whatever fails, also in the source, comes out of the end that is read.
  return pipeline(source, createGunzip(), () => undefined);
}

function refusal(entry: ParsedTarEntry): Foreign | undefined {
  const reason = reasonOf(entry);
  if (reason === undefined) return undefined;
  const { type } = entry.header;
  return { reason, ...(type === undefined || type === "file" || type === "link" ? {} : { isFile: false }) };
}

function reasonOf({ header }: ParsedTarEntry): string | undefined {
  // What stands for a byte that is no UTF-8: two such names would become one, and the second file write over the first.
  if (header.name.includes("\uFFFD")) return "its name is not UTF-8";
  // Its content stands under the other name only, and nothing of an archive is kept to look back at.
  if (header.type === "link") return `a hard link to ${header.linkname}`;
  if (header.type === "symlink") return "a link";
  if (header.type !== undefined && header.type !== "file" && header.type !== "directory") return "not a regular file";
  // Its content starts with a map of the holes.
  if (Object.keys(header.pax ?? {}).some((key) => key.startsWith("GNU.sparse."))) return "a sparse file";
  return header.size > processLimits.maxFileBytes ? tooLarge() : undefined;
}

/** Read to its end: the decoder takes a cancelled body for the one it is at by then, whose reader waits for ever. */
async function passOver({ body }: ParsedTarEntry): Promise<void> {
  for await (const _ of body as unknown as AsyncIterable<Uint8Array>);
}

async function bytesOf({ header, body }: ParsedTarEntry): Promise<Uint8Array> {
  const bytes = new Uint8Array(header.size);
  let at = 0;
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** A time that no date can be is none. */
function timeOf(time: Date | undefined): { readonly updatedAt?: Date } {
  const year = time?.getUTCFullYear();
  return time === undefined || year === undefined || !(year >= 0 && year < 9999) ? {} : { updatedAt: time };
}

function readFailure(error: unknown, entriesRead: number): unknown {
  if (!(error instanceof Error) || error instanceof HangoError) return error;
  // The stream of the web wraps what gzip says.
  const reason = error.message || (error.cause instanceof Error ? error.cause.message : "");
  const isEnd = /truncated|unexpected end/i.test(reason);
  const message = !isEnd
    ? `This is no tar archive, plain or packed with gzip, that can be read (${reason}).`
    : entriesRead === 0
      ? "This is no tar archive, or it ends in its middle, before its first file."
      : "The archive ends in its middle. No file is stored in part.";
  return new HangoError("invalid_content", message, { cause: error });
}
