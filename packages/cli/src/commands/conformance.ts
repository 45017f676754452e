import { Command } from "commander";
import { wholeNumber } from "../size.ts";

interface ConformanceOptions {
  readonly only?: string;
  readonly seed?: number;
  readonly timeoutMs: number;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** `hango conformance` */
export function conformanceCommand(): Command {
  return new Command("conformance")
    .description("Run the conformance suite on a storage of your own, without a test runner. Ends with 1 when a case fails.")
    .argument(
      "<module>",
      "a JavaScript or TypeScript module that exports create (a function of files that answers a Storage), or subject ({ name, create, lacks? })",
    )
    .option("--only <text>", "only cases whose name holds this text")
    .option("--seed <n>", "repeat the generated cases of a run from the seed it printed", wholeNumber(0, 0x7fffffff))
    .option("--timeout-ms <n>", "how long one case may take", wholeNumber(1, 3_600_000), 60_000)
    .option("--verbose", "also print the cases that pass")
    .option("--json", "print one JSON object: name, seed, passed, failed, skipped")
    .addHelpText(
      "after",
      "\nExamples:\n  hango conformance ./my-storage.js\n  hango conformance ./my-storage.ts --only glob --verbose\n\nThe module:\n  export const create = async (files = {}) => { …; return defineStorage({ … }); };",
    )
    .action(async (module: string, options: ConformanceOptions) => {
      const { checkModule } = await import("../conformance/check-module.ts");
      const { leave } = await import("../interrupt.ts");
      try {
        await checkModule(module, options);
      } finally {
        // What the module left running (a timer, a pool of connections, a case that hangs) would hold up the end. An error is told before.
        setImmediate(() => void leave(Number(process.exitCode ?? 0)));
      }
    });
}
