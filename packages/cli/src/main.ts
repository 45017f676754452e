#!/usr/bin/env node
/** The `hango` command: the composition root, the only place that knows everything. */
import { CommanderError } from "commander";
import type { HangoError } from "hango";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { interrupted, leave, watchInterrupts } from "./interrupt.ts";
import { say } from "./output.ts";
import { createProgram } from "./program.ts";
import { storePathHint } from "./store-path-hint.ts";

/** Told of where it happens. The stream itself forgets it: a process's stdout is never destroyed for good. */
let outputFailed = false;
// A reader that has seen enough (`hango grep … | head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  outputFailed = true;
  if (error.code !== "EPIPE") {
    // A disk that is full, most often.
    say(`the output can't be written (${error.code ?? error.message}); what is there has no end.`);
    return void leave(exitCodes.failed.code);
  }
  // A command that would be half done says so in the exit code beforehand.
  void leave(Number(process.exitCode ?? exitCodes.ok.code));
});
// Nobody is left to be told; the exit code still says it.
process.stderr.on("error", () => undefined);
// Here is the owner's own hand, whose role often is the database's own; `hango doctor` says what that means.
process.removeAllListeners("warning").on("warning", (warning: Error & { readonly code?: string }) => {
  if (warning.code !== "HANGO_NO_ROW_LEVEL_SECURITY") say(`${warning.name === "HangoWarning" ? "" : `${warning.name}: `}${warning.message}`);
});
watchInterrupts();

try {
  await createProgram().parseAsync();
} catch (error) {
  // Whoever pressed Ctrl-C knows why it stopped, and output that can't be written was told of above.
  if (!interrupted.aborted && !outputFailed && process.stdout.errored === null) process.exitCode = tell(error);
}

/** Says what went wrong; a known error is for the person at the terminal, anything else is a bug and keeps its stack. */
function tell(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code;
  // By its name: a limit in the environment that can't be is refused while the library loads, which then has nothing to ask.
  if (!(error instanceof Error && error.name === "HangoError")) throw error;
  say(error.message + storePathHint(error as HangoError));
  return exitCodeOf((error as HangoError).code);
}
