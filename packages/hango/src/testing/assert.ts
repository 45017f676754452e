/** The few assertions the conformance cases need, so that they run under any test runner. */
import { type ErrorCode, type HangoError, isHangoError } from "../errors.ts";

const SHOWN_CHARS = 400;

/** Throws when `condition` doesn't hold. */
export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** Compares two values by what they hold; keys set to undefined count as absent. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [print(actual), print(expected)];
  if (left !== right) throw new Error(`${what}: got ${cut(left)}, want ${cut(right)}`);
}

/** Compares bytes without printing them whole. */
export function sameBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  holds(actual.length === expected.length, `${what}: got ${actual.length} bytes, want ${expected.length}`);
  const at = actual.findIndex((byte, index) => byte !== expected[index]);
  holds(at < 0, `${what}: byte ${at} is ${actual[at]}, want ${expected[at]}`);
}

/** Runs a call that must be refused with one of the codes, and answers its error. */
export async function refused(codes: ErrorCode | readonly ErrorCode[], run: () => Promise<unknown>, what: string): Promise<HangoError> {
  const wanted = typeof codes === "string" ? [codes] : codes;
  let answer: unknown;
  try {
    answer = await run();
  } catch (error) {
    if (isHangoError(error) && wanted.includes(error.code)) return error;
    throw new Error(`${what}: want ${wanted.join(" or ")}, got ${isHangoError(error) ? `${error.code} (${error.message})` : String(error)}`, { cause: error });
  }
  throw new Error(`${what}: want ${wanted.join(" or ")}, got the answer ${cut(print(answer))}`);
}

/** How a value is compared and shown: one spelling for one value. */
export function print(value: unknown): string {
  if (value instanceof Uint8Array)
    return `bytes(${Array.from(value.subarray(0, 64), (byte) => byte.toString(16).padStart(2, "0")).join("")}${value.length > 64 ? `… ${value.length}` : ""})`;
  if (value instanceof Date) return `date(${value.getTime()})`;
  if (Array.isArray(value)) return `[${value.map(print).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    fields.sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${fields.map(([name, field]) => `${name}: ${print(field)}`).join(", ")}}`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function cut(text: string): string {
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}… (${text.length} characters)`;
}
