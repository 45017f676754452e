/** What a committing process writes, for the one that checks it. */
export const ROUND_FILES = 120;

/** The round's number, and enough behind it for a commit to take its time. */
export function roundBytes(round: number): Uint8Array {
  return new TextEncoder().encode(`${round} ${"x".repeat(2_000)}`);
}
