/** Sizes, counts and ages as people type them. */
import { InvalidArgumentError } from "commander";

const SIZES: Readonly<Record<string, number>> = { "": 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40 };
const AGES: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3, w: 604_800e3 };

/** "10MB", "512 KiB", "1048576". Units: bytes. */
export function parseSize(text: string): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?) *([a-z]*)$/i.exec(text) ?? [];
  const bytes = Number(number) * (SIZES[unit.toUpperCase()] ?? Number.NaN);
  if (number === "" || !Number.isSafeInteger(Math.round(bytes))) throw new InvalidArgumentError("Give a size such as 10MB, 512KiB or 1048576.");
  return Math.round(bytes);
}

/** "30d", "12h". Units: milliseconds. */
export function parseAge(text: string): number {
  const [, number = "", unit = ""] = /^(\d+) *([smhdw])$/.exec(text) ?? [];
  const ageMs = Number(number) * (AGES[unit] ?? Number.NaN);
  if (number === "" || !Number.isSafeInteger(ageMs)) throw new InvalidArgumentError("Give an age such as 30d, 12h or 90m (s, m, h, d, w).");
  return ageMs;
}

/** A count from `least` to `most`. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}.`);
  };
}

export interface LineRange {
  readonly from: number;
  readonly to?: number;
}

/** "10:20", "10:", ":20", "10". Lines count from 1. */
export function parseLines(text: string): LineRange {
  const [, from = "", colon, to = ""] = /^(\d*)(:?)(\d*)$/.exec(text) ?? [];
  const first = from === "" ? 1 : Number(from);
  const last = colon === "" ? first : to === "" ? undefined : Number(to);
  if ((from === "" && to === "") || first < 1 || (last !== undefined && last < first) || !Number.isSafeInteger(first) || !Number.isSafeInteger(last ?? 1))
    throw new InvalidArgumentError("Give lines as 10:20, 10:, :20 or 10; they count from 1.");
  return { from: first, ...(last === undefined ? {} : { to: last }) };
}
