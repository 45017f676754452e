/** Ids: namespaces and sessions are UUIDs, so that one compares whole and none is ever a path of its own making. */
import { HangoError } from "../errors.ts";
import { quoteText } from "../text/quote.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { hex, sha256Hex } from "./sha256.ts";

const shape: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for a UUID, in any case. */
export function isUuid(value: unknown): boolean {
  return typeof value === "string" && value.length === 36 && shape.test(value);
}

/** Takes a UUID in any case and lowers it. Errors: invalid_argument names `what` and points at uuidFor. */
export function parseUuid(value: string, what: string): string {
  if (isUuid(value)) return value.toLowerCase();
  const given = typeof value === "string" ? quoteText(value, 60) : value === null ? "null" : typeof value;
  throw new HangoError("invalid_argument", `${what} must be a UUID, not ${given}. For ids of another shape, uuidFor(id) makes a stable one.`);
}

/**
 * Makes the stable UUID of an id of another shape ("org_2ab…", a thread's name): the same name gives the same id, everywhere.
 * Errors: invalid_argument for an empty name or one that is not well-formed text.
 * Source: RFC 9562, version 8 over SHA-256 of "hango:uuid", NUL and the name.
 */
export function uuidFor(name: string): string {
  if (typeof name !== "string" || name === "" || !name.isWellFormed())
    throw new HangoError("invalid_argument", "uuidFor needs a name: a string of well-formed text that is not empty.");
  const digest = sha256Hex(encodeUtf8(`hango:uuid\0${name}`));
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16);
  return dashed(`${digest.slice(0, 12)}8${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`);
}

let lastTime = 0;
let lastCount = 0;

const RANDOM_BYTES = 10;
/** Asking the system for random bytes costs more than the rest of an id, so they are asked for by the hundred. */
const randomPool: Uint8Array<ArrayBuffer> = new Uint8Array(100 * RANDOM_BYTES);
let randomUsed: number = randomPool.length;

/** Ten random bytes that no one else has: a view, to be read before the next call. */
function randomBytes(): Uint8Array {
  if (randomUsed === randomPool.length) {
    globalThis.crypto.getRandomValues(randomPool);
    randomUsed = 0;
  }
  randomUsed += RANDOM_BYTES;
  return randomPool.subarray(randomUsed - RANDOM_BYTES, randomUsed);
}

/** Makes a new time-ordered UUID (version 7). Each one of this process is greater than the one before, also within a millisecond or when the clock goes back. */
export function uuidV7(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    // The top bit stays free, so that a burst has room to count.
    lastCount = (((random[0] as number) << 8) | (random[1] as number)) & 0x7ff;
  } else if (lastCount < 0xfff) lastCount += 1;
  else {
    lastTime += 1;
    lastCount = 0;
  }
  random[2] = ((random[2] as number) & 0x3f) | 0x80;
  return dashed(`${hex(lastTime, 12)}7${hex(lastCount, 3)}${Array.from(random.subarray(2), (byte) => hex(byte, 2)).join("")}`);
}

function dashed(digits: string): string {
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
