import { Command } from "commander";

interface DemoCommandOptions {
  readonly store: string;
  readonly model?: string;
}

/** `hango demo` */
export function demoCommand(): Command {
  return new Command("demo")
    .description("Import a real directory into a store on disk and watch an agent work on it. The directory itself is only read.")
    .argument("[directory]", "what to import (default: hango's own sources in a clone of it, else the current directory)")
    .option("--store <directory>", "where the store lives", ".hango/demo")
    .option("--model <id>", "a real model through the AI Gateway, e.g. anthropic/claude-sonnet-4.5 (needs AI_GATEWAY_API_KEY)")
    .addHelpText(
      "after",
      "\nOTEL_EXPORTER_OTLP_ENDPOINT sends what the agent did, never content, to an OpenTelemetry collector." +
        "\n\nExamples:\n  hango demo\n  hango demo ../my-project --store /tmp/try\n  AI_GATEWAY_API_KEY=… hango demo --model openai/gpt-5",
    )
    .action(async (directory: string | undefined, { store, model }: DemoCommandOptions) => {
      const { runDemo } = await import("../demo/demo.ts");
      await runDemo({ ...(directory === undefined ? {} : { directory }), store, ...(model === undefined ? {} : { model }) });
    });
}
