import { Command } from "commander";
import { exitCodes } from "../exit-codes.ts";
import { counted, plain, print, printJson, styled } from "../output.ts";
import { type DatabaseCommandOptions, withDatabaseOptions } from "../store.ts";
import type { Check } from "../doctor/check.ts";

interface DoctorOptions extends DatabaseCommandOptions {
  readonly json?: boolean;
}

const COLOURS = { ok: "green", warn: "yellow", bad: "red" } as const;

/** `hango doctor` */
export function doctorCommand(): Command {
  return withDatabaseOptions(
    new Command("doctor").description("Look at versions, connection, role, settings, schema and locks, and say what to do. Ends with 1 when something is bad."),
  )
    .option("--json", "print one JSON array of { name, state, found, advice }")
    .addHelpText("after", "\nExamples:\n  hango doctor\n  hango doctor --db postgres://me@localhost/app --json")
    .action(async (options: DoctorOptions) => {
      const { examine } = await import("../doctor/doctor.ts");
      const checks = await examine(options);
      const worst = (state: Check["state"]): number => checks.filter((check) => check.state === state).length;
      if (worst("bad") > 0) process.exitCode = exitCodes.failed.code;
      if (options.json === true) return printJson(checks);
      await print(checks.map(row).join(""));
      await print(
        `\n${worst("bad") + worst("warn") === 0 ? "All is well." : `${counted(worst("bad"), "thing")} bad, ${counted(worst("warn"), "warning")}.`}\n`,
      );
    });
}

function row({ name, state, found, advice }: Check): string {
  const line = `${styled(COLOURS[state], state.padEnd(5))} ${name.padEnd(19)} ${plain(found)}\n`;
  return advice === undefined ? line : `${line}${" ".repeat(26)}→ ${plain(advice)}\n`;
}
