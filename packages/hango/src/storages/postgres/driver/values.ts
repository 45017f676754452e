/** The plain values that may reach an engine, and how its answers come back: the same JavaScript values from both. */
import { HangoError } from "../../../errors.ts";
import type { SqlValue, Statement } from "./driver.ts";

function isScalar(value: unknown): boolean {
  if (value === null || value instanceof Uint8Array) return true;
  return typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

/**
 * Refuses what is not a plain value before anything is sent: a parameter that fails to encode half way lets the rest of
 * its transaction commit. Errors: internal, naming the place.
 */
export function checkStatements(statements: readonly Statement[]): void {
  statements.forEach((statement, at) => {
    statement.values.forEach((value: SqlValue, index) => {
      const plain = Array.isArray(value) ? value.every(isScalar) : isScalar(value);
      if (!plain)
        throw new HangoError(
          "internal",
          `Statement ${at + 1}, parameter $${index + 1}: a driver takes strings, finite numbers, booleans, null, bytes and flat arrays of these.`,
        );
    });
  });
}

const BYTEA = 17;
const INT8 = 20;

/** Both forms of the server's bytea_output: hex starts with `\x`, and in escape a backslash never stands before an x. */
export function parseBytes(text: string): Uint8Array {
  if (!text.startsWith("\\x")) return parseEscaped(text);
  const buffer = Buffer.from(text.slice(2), "hex");
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}

/** `\\` is a backslash, `\ooo` a byte in octal, everything else itself. */
function parseEscaped(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; length++) {
    const isEscape = text[at] === "\\";
    const isOctal = isEscape && text[at + 1] !== "\\";
    bytes[length] = isOctal ? Number.parseInt(text.slice(at + 1, at + 4), 8) : text.charCodeAt(at);
    at += isOctal ? 4 : isEscape ? 2 : 1;
  }
  return bytes.slice(0, length);
}

/** By type oid; whatever is not here keeps the engine's own parser (timestamptz → Date, numeric → string). */
export const parsers: Readonly<Record<number, (text: string) => unknown>> = { [BYTEA]: parseBytes, [INT8]: Number };

/** Bytes as Postgres reads them. PGlite's own serializer walks them one by one. */
export const serializers: Readonly<Record<number, (value: unknown) => string>> = {
  [BYTEA]: (value) => {
    if (!(value instanceof Uint8Array)) return String(value);
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`;
  },
};
