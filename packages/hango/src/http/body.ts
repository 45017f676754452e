import { HangoError } from "../errors.ts";

/** Reads a body up to `maxBytes` and stops at the byte after. Errors: too_large; unavailable for a body that breaks off. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await nextPart(reader);
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      // The answer is decided; how the rest of the body ends changes nothing.
      reader.cancel().catch(() => undefined);
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Errors: unavailable for a body that breaks off, which is no refusal of ours. */
async function nextPart(reader: ReadableStreamDefaultReader<Uint8Array>): ReturnType<typeof reader.read> {
  try {
    return await reader.read();
  } catch (cause) {
    throw new HangoError("unavailable", "The body ended before all of it had come, so nothing was written. Send it again.", { cause });
  }
}

function tooLarge(maxBytes: number): HangoError {
  return new HangoError("too_large", `The body is larger than ${maxBytes} bytes, the most that may be sent.`, { details: { limit: maxBytes } });
}
