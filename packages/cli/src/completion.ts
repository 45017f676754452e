/** Completion scripts, made from the commander tree: what the program knows is what the shell offers. */
import type { Command, Option } from "commander";

export type Shell = "bash" | "zsh" | "fish";
export const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

interface Node {
  /** "migrate up"; "" for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly Option[];
  readonly choices: readonly string[];
}

/** The script. */
export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program, "");
  switch (shell) {
    case "bash":
      return bash(nodes);
    case "zsh":
      return zsh(nodes);
    case "fish":
      return fish(nodes);
  }
}

function nodesOf(command: Command, path: string): readonly Node[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map((sub) => ({ name: sub.name(), description: firstSentence(sub.description()) }));
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const node: Node = { path, description: command.description(), commands, options: help.visibleOptions(command), choices };
  return [node, ...command.commands.flatMap((sub) => nodesOf(sub, path === "" ? sub.name() : `${path} ${sub.name()}`))];
}

function firstSentence(text: string): string {
  return /^.*?[.;:](?= |$)/.exec(text)?.[0].slice(0, -1) ?? text;
}

const flagsOf = ({ short, long }: Option): readonly string[] => [short, long].filter((flag) => flag !== undefined);
const takesValue = (option: Option): boolean => option.required || option.optional;
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Walks the words so far to the deepest command they name; then offers its commands and options, else files. */
function bash(nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, commands, options, choices }) => {
    const words = [...commands.map(({ name }) => name), ...choices, ...options.flatMap(flagsOf)];
    return `    ${quoted(path)}) words=${quoted(words.join(" "))} ;;`;
  });
  const known = nodes.filter(({ path }) => path !== "").map(({ path }) => `      ${quoted(path)}) at=$next ;;`);
  return `# bash completion for hango
_hango() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at='' next='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next=\${at:+$at }\${COMP_WORDS[i]}
    case $next in
${known.join("\n")}
    esac
  done
  case $at in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _hango hango
`;
}

function zsh(nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, commands, options, choices }) => {
    const rows = [
      ...commands.map(({ name, description }) => described(name, description)),
      ...choices.map((choice) => described(choice, "")),
      ...options.flatMap((option) => flagsOf(option).map((flag) => described(flag, option.description))),
    ];
    return `    ${quoted(path)}) rows=(\n${rows.map((row) => `      ${row}`).join("\n")}\n    ) ;;`;
  });
  const known = nodes.filter(({ path }) => path !== "").map(({ path }) => `      ${quoted(path)}) at=$next ;;`);
  return `#compdef hango
# zsh completion for hango
_hango() {
  local at='' next='' i
  local -a rows
  for ((i = 2; i < CURRENT; i++)); do
    next="\${at:+$at }\${words[i]}"
    case $next in
${known.join("\n")}
    esac
  done
  case $at in
${cases.join("\n")}
  esac
  _describe 'hango' rows
  _files
}
if [ "$funcstack[1]" = "_hango" ]; then _hango "$@"; else compdef _hango hango; fi
`;
}

function described(word: string, description: string): string {
  return quoted(`${word.replaceAll(":", String.raw`\:`)}:${description}`);
}

function fish(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, commands, options, choices }) => {
    const names = path.split(" ");
    const below = commands.map(({ name }) => name).join(" ");
    const seen = path === "" ? [] : names.map((name) => `__fish_seen_subcommand_from ${name}`);
    const inside = [...seen, ...(below === "" ? [] : [`not __fish_seen_subcommand_from ${below}`])].join("; and ");
    const condition = inside === "" ? "" : ` -n ${quoted(inside)}`;
    return [
      ...commands.map(({ name, description }) => `complete -c hango${condition} -a ${quoted(name)} -d ${quoted(description)}`),
      ...choices.map((choice) => `complete -c hango${condition} -a ${quoted(choice)}`),
      ...options.map((option) => {
        const [short, long] = [option.short?.slice(1), option.long?.slice(2)];
        const flags = `${short === undefined ? "" : ` -s ${short}`}${long === undefined ? "" : ` -l ${long}`}`;
        return `complete -c hango${condition}${flags}${takesValue(option) ? " -r" : ""} -d ${quoted(option.description)}`;
      }),
    ];
  });
  return `# fish completion for hango\n${lines.join("\n")}\n`;
}
