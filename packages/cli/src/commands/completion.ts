import { Argument, Command } from "commander";
import { SHELLS, type Shell, completionScript } from "../completion.ts";
import { print } from "../output.ts";

/** `hango completion` */
export function completionCommand(): Command {
  const command = new Command("completion")
    .description("Print a script that completes commands and options in your shell.")
    .addArgument(new Argument("<shell>", "which one").choices(SHELLS))
    .addHelpText(
      "after",
      "\nExamples:\n  hango completion bash >> ~/.bashrc\n  hango completion zsh > ~/.zfunc/_hango      # a directory of $fpath\n  hango completion fish > ~/.config/fish/completions/hango.fish",
    );
  return command.action((shell: Shell) => print(completionScript(command.parent ?? command, shell)));
}
