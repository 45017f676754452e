/** Asks before something can't be undone. */
import { agrees } from "./ask.ts";

/** True for a yes. Errors: invalid_argument where nobody can be asked. */
export async function confirm(what: string, { yes }: { readonly yes: boolean }): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    const { HangoError } = await import("hango");
    throw new HangoError("invalid_argument", `${what}\nNothing was done: nobody is here to be asked. Run it again with --yes.`);
  }
  process.stderr.write(`${what}\n`);
  return agrees("Go on? [y/N] ", { output: process.stderr });
}
