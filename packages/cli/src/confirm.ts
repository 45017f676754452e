/** Asks before something can't be undone. */
import { createInterface } from "node:readline/promises";
import { interrupted } from "./interrupt.ts";

/** True for a yes. Errors: invalid_argument where nobody can be asked. */
export async function confirm(what: string, { yes }: { readonly yes: boolean }): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    const { HangoError } = await import("hango");
    throw new HangoError("invalid_argument", `${what}\nNothing was done: nobody is here to be asked. Run it again with --yes.`);
  }
  process.stderr.write(`${what}\n`);
  // Not as a terminal of readline's own, so that Ctrl-C stays a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const answer = await lines.question("Go on? [y/N] ", { signal: interrupted });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
