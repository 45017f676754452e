/** One range of bytes (RFC 9110, section 14). */

export type Range = { readonly kind: "whole" } | { readonly kind: "part"; readonly start: number; readonly end: number } | { readonly kind: "outside" };

const FORM = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i;

/** Reads a Range header; `end` is exclusive. More than one range, another unit and what can't be read ask for the whole. */
export function parseRange(header: string | null, sizeBytes: number): Range {
  const [, first, last] = FORM.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return { kind: "whole" };
  if (first === "") {
    const suffix = Math.min(Number(last), sizeBytes);
    return suffix === 0 ? { kind: "outside" } : { kind: "part", start: sizeBytes - suffix, end: sizeBytes };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return { kind: "whole" };
  if (start >= sizeBytes) return { kind: "outside" };
  return { kind: "part", start, end: last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes) };
}
