/** The tree of commands. Nothing heavy is imported here: each command loads what it needs when it runs. */
import { Command } from "commander";
import { agentCommand } from "./commands/agent.ts";
import { withAgentAdmin } from "./commands/agent-admin.ts";
import { catCommand } from "./commands/cat.ts";
import { completionCommand } from "./commands/completion.ts";
import { conformanceCommand } from "./commands/conformance.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { editCommand } from "./commands/edit.ts";
import { embedCommand } from "./commands/embed.ts";
import { eraseCommand } from "./commands/erase.ts";
import { exportCommand } from "./commands/export.ts";
import { globCommand } from "./commands/glob.ts";
import { grepCommand } from "./commands/grep.ts";
import { importCommand } from "./commands/import.ts";
import { keyCommand } from "./commands/key.ts";
import { lsCommand } from "./commands/ls.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { pruneCommand } from "./commands/prune.ts";
import { rmCommand } from "./commands/rm.ts";
import { searchCommand } from "./commands/search.ts";
import { serveCommand } from "./commands/serve.ts";
import { sessionCommand } from "./commands/session.ts";
import { statCommand } from "./commands/stat.ts";
import { tenantCommand } from "./commands/tenant.ts";
import { quotaCommand, usageCommand } from "./commands/usage.ts";
import { writeCommand } from "./commands/write.ts";
import { exitCodeRows } from "./exit-codes.ts";
import { version } from "./version.ts";

/** By the help's headings and in its order. A command of your own: one line here and one import. */
const commands: ReadonlyMap<string, readonly (() => Command)[]> = new Map([
  ["Files:", [lsCommand, catCommand, writeCommand, editCommand, rmCommand, globCommand, grepCommand, searchCommand, statCommand]],
  ["Trees and agents:", [importCommand, exportCommand, () => withAgentAdmin(agentCommand()), demoCommand, serveCommand]],
  ["A server's tenants:", [tenantCommand, keyCommand, sessionCommand]],
  ["The database:", [migrateCommand, usageCommand, quotaCommand, eraseCommand, pruneCommand, doctorCommand]],
  ["More:", [embedCommand, conformanceCommand, completionCommand]],
]);

/** Makes the whole program; also read by the completion and the documentation. */
export function createProgram(): Command {
  const program = new Command("hango")
    .description("The filesystem for AI agents.")
    .version(version(), "-V, --version", "print the version")
    .option("--no-color", "no colours, as NO_COLOR=1 does")
    .addHelpText(
      "after",
      () =>
        `\nExit codes:\n${exitCodeRows()
          .map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`)
          .join("\n")}`,
    );
  for (const [group, makes] of commands) for (const make of makes) program.addCommand(make().helpGroup(group));
  settle(program);
  program.hook("preAction", () => {
    if (program.opts<{ readonly color: boolean }>().color) return;
    process.env["NO_COLOR"] = "1";
    delete process.env["FORCE_COLOR"];
  });
  return program;
}

/** What is the same for every command: addCommand hands nothing down. */
function settle(command: Command): void {
  // The same first word as everything else that goes wrong.
  command.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "hango: ")) });
  command.exitOverride().showHelpAfterError(`Run “${pathOf(command)} --help” to see how.`);
  command.commands.forEach(settle);
}

/** "hango migrate up" */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
