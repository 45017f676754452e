/** Sizes and seed of a long run: from the environment, or what is usual. */
import { freshSeed } from "../../../packages/hango/src/testing/random.ts";

/** Errors: plain Error for what is no whole number from 1. */
export function sizeFrom(name: string, usual: number): number {
  const text = process.env[name];
  if (text === undefined || text === "") return usual;
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1) throw new Error(`${name} is ${text}; it must be a whole number from 1.`);
  return size;
}

export const seed: number = sizeFrom("HANGO_SEED", freshSeed());

/** Prints the figures of one run, faults last. Ends the process with 1 when there is a fault. */
export function report(name: string, figures: { readonly faults: readonly string[] } & Readonly<Record<string, unknown>>): void {
  const { faults, ...numbers } = figures;
  process.stdout.write(`${name}: ${JSON.stringify({ seed, ...numbers, faults: faults.length })}\n`);
  for (const fault of faults.slice(0, 50)) process.stdout.write(`  ${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
