/** How untrusted text is quoted in a message: one line, bounded, nothing that a terminal or a log would act on. */
import { wholeEnd } from "./utf8.ts";

const bidi = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069";
const unsafe: RegExp = new RegExp(
  `[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff${bidi}]|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]`,
  "g",
);

/** Escapes controls, bidi controls, line separators and lone surrogates as `\u202e`, and cuts to `maxChars` UTF-16 units of the source. */
export function escapeText(text: string, maxChars: number): string {
  const kept = text.length > maxChars ? `${text.slice(0, wholeEnd(text, maxChars))}…` : text;
  return kept.replace(unsafe, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same in double quotes. */
export function quoteText(text: string, maxChars = 100): string {
  return `"${escapeText(text, maxChars)}"`;
}
