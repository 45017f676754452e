/** Writes docs/cli.md from the commands themselves. */
import { writeFileSync } from "node:fs";
import { exitCodeRows } from "../packages/cli/src/exit-codes.ts";
import { createProgram, pathOf } from "../packages/cli/src/program.ts";
import { withStoreOptions } from "../packages/cli/src/store.ts";
import { markdownTable } from "./markdown-table.ts";

type Command = ReturnType<typeof createProgram>;
type Option = Command["options"][number];

const INTRO = `# The hango command

Made from the commands themselves by \`node tools/cli-docs.ts\`; \`hango COMMAND --help\` says the same.

A file command works on the files of one agent of one tenant: \`--tenant\` and \`--agent\` take a name or a UUID, and a name always means the same files. Paths start at \`/\`; the first slash may be left out. Reading is done as an operator: machine files (\`/large_tool_results/…\`, \`/conversation_history/…\`) only show for the session that \`--session\` names. Writing and deleting are the owner's own hand, recorded as \`operator\`.

Output goes to stdout, words about it to stderr. \`--json\` prints one JSON value. Ctrl-C ends a command at once; the database is closed first.
`;

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ["HANGO_DB", "the database, where `--db` is not given"],
  ["HANGO_SCHEMA", "where the tables are, where `--schema` is not given"],
  ["HANGO_TENANT, HANGO_AGENT", "whose files, where `--tenant` and `--agent` are not given"],
  ["HANGO_FS_MAX_FILE_BYTES", "bytes of one file (default 1048576)"],
  ["HANGO_APP_ROLE_PASSWORD", "the password that `hango migrate up --app-role` gives the role"],
  ["PGPASSWORD", "the password that the URL leaves out"],
  ["NO_COLOR", "any value: no colours"],
];

/** The whole page. */
export function cliDocs(): string {
  const program = createProgram();
  return [
    INTRO,
    "## Exit codes\n",
    markdownTable(
      ["code", "meaning"],
      exitCodeRows().map(([code, meaning]) => [String(code), meaning]),
    ),
    "## Environment\n",
    markdownTable(
      ["variable", "meaning"],
      ENVIRONMENT.map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    "## Options that most commands share\n",
    markdownTable(["option", "meaning"], sharedOptions().map(optionRow)),
    "## Commands\n",
    ...leaves(program).map(section),
  ].join("\n");
}

function leaves(command: Command): readonly Command[] {
  // One that takes an argument does something itself, beside its subcommands.
  return command.commands.flatMap((sub) => [...(sub.commands.length === 0 || sub.registeredArguments.length > 0 ? [sub] : []), ...leaves(sub)]);
}

function section(command: Command): string {
  const help = command.createHelp();
  const shared = new Set(sharedOptions().map(({ flags }) => flags));
  const given = help.visibleArguments(command).map((argument) => [`\`${argument.name()}\``, help.argumentDescription(argument)]);
  const options = help.visibleOptions(command).filter(({ long, flags }) => long !== "--help" && !shared.has(flags));
  const namesStore = help.visibleOptions(command).some(({ flags }) => shared.has(flags));
  return [
    `### ${pathOf(command)}\n`,
    `\`\`\`\n${help.commandUsage(command)}\n\`\`\`\n`,
    `${command.description()}\n`,
    markdownTable(["", ""], [...given, ...options.map(optionRow), ...(namesStore ? [["", "and the shared options"]] : [])]),
    examples(command),
  ].join("\n");
}

function sharedOptions(): readonly Option[] {
  return withStoreOptions(createProgram().createCommand("")).options;
}

function optionRow(option: Option): readonly string[] {
  return [`\`${option.flags}\``, createProgram().createHelp().optionDescription(option)];
}

/** What addHelpText holds, which only the printed help gives out. */
function examples(command: Command): string {
  let printed = "";
  command.configureOutput({ writeOut: (text) => (printed += text) });
  command.outputHelp();
  const found = /\nExamples?:\n([\s\S]*)$/.exec(printed)?.[1] ?? "";
  const lines = found.split("\n").map((line) => line.replace(/^ {2}/, ""));
  return found === "" ? "" : `\`\`\`sh\n${lines.join("\n").trimEnd()}\n\`\`\`\n`;
}

export const CLI_DOCS: URL = new URL("../docs/cli.md", import.meta.url);

if (import.meta.main) writeFileSync(CLI_DOCS, cliDocs());
