/** Writes files as one tar archive, as they come; long and foreign names as PAX. */
import type { Writable } from "node:stream";
import { once } from "node:events";
import type { FileData } from "hango";
import { createTarPacker } from "modern-tar";

export interface WriteTarOptions {
  readonly onWritten?: (file: FileData) => void;
  readonly signal?: AbortSignal;
}

/** Answers how many files and bytes. A reader that is slow holds the whole export back. Errors: an abort rethrows its reason; the archive then has no end. */
export async function writeTar(
  files: AsyncIterable<FileData>,
  out: Writable,
  options: WriteTarOptions = {},
): Promise<{ readonly files: number; readonly bytes: number }> {
  const { readable, controller } = createTarPacker();
  const draining = drain(readable, out);
  // It is awaited at the end; until then a reader that has gone is nobody's unhandled rejection, and ends the next write too.
  draining.catch(() => undefined);
  let [count, bytes] = [0, 0];
  // A reader who takes nothing any more would never let a write end, nor the last of them be taken.
  const stopped = Promise.withResolvers<never>();
  // Raced at the end, like the other; a stop that comes before that is until then nobody's unhandled rejection.
  stopped.promise.catch(() => undefined);
  const stop = (): void => {
    controller.error(options.signal?.reason);
    stopped.reject(options.signal?.reason);
  };
  options.signal?.addEventListener("abort", stop, { once: true });
  let refused: Error | undefined;
  const onRefused = (error: Error): void => void (refused ??= error);
  out.on("error", onRefused);
  try {
    for await (const file of files) {
      options.signal?.throwIfAborted();
      const writer = controller.add(headerOf(file)).getWriter();
      if (file.bytes.length > 0) await writer.write(file.bytes);
      await writer.close();
      count += 1;
      bytes += file.bytes.length;
      options.onWritten?.(file);
    }
    controller.finalize();
    await Promise.race([draining, stopped.promise]);
  } catch (error) {
    controller.error(error);
    // What took the archive knows why it takes no more; the packer only that it was stopped. A process's stdout has forgotten it by now.
    throw refused ?? out.errored ?? error;
  } finally {
    options.signal?.removeEventListener("abort", stop);
    out.off("error", onRefused);
  }
  return { files: count, bytes };
}

type Header = Parameters<ReturnType<typeof createTarPacker>["controller"]["add"]>[0];

/** Of a plain header: eleven octal digits of seconds. */
const MAX_PLAIN_MS = (8 ** 11 - 1) * 1000;

/** The plain header holds ASCII and whole seconds from 1970 to 2242; whatever is more goes into PAX. */
function headerOf({ info, bytes }: FileData): Header {
  const time = info.updatedAt ?? new Date();
  const plainTime = Math.min(Math.max(0, time.getTime()), MAX_PLAIN_MS);
  const isPlainTime = time.getTime() === plainTime && plainTime % 1000 === 0;
  const pax = {
    ...(/^[\x20-\x7e]*$/.test(info.path) ? {} : { path: info.path }),
    ...(isPlainTime ? {} : { mtime: String(time.getTime() / 1000) }),
  };
  return { name: info.path, size: bytes.length, type: "file", mtime: new Date(plainTime), pax };
}

async function drain(readable: ReadableStream<Uint8Array>, out: Writable): Promise<void> {
  for await (const piece of readable as unknown as AsyncIterable<Uint8Array>) if (!out.write(piece)) await once(out, "drain");
  // What was handed over is not taken yet: an archive whose last part nobody read was told of as exported.
  await new Promise<void>((resolve, reject) => out.write(new Uint8Array(), (error) => (error ? reject(error) : resolve())));
}
