import { Command } from "commander";
import type { Quota, Usage } from "hango/postgres";
import { count, print, printJson, size } from "../output.ts";
import { parseSize, wholeNumber } from "../size.ts";
import { type StoreOptions, withNamespaceOptions, withStore } from "../store.ts";

interface UsageOptions extends StoreOptions {
  readonly json?: boolean;
}

interface QuotaOptions extends UsageOptions {
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly none?: boolean;
}

/** `hango usage` */
export function usageCommand(): Command {
  return withNamespaceOptions(new Command("usage").description("Show how many files and bytes an agent has, and its quota."))
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExamples:\n  hango usage\n  hango usage --json --tenant acme --agent support-bot")
    .action((options: UsageOptions) =>
      withStore(options, async ({ files, namespace }) => show(await files.usage(namespace), options.json === true), { mustExist: true }),
    );
}

/** `hango quota` */
export function quotaCommand(): Command {
  return withNamespaceOptions(new Command("quota").description("Show or set what an agent may have; a limit that is not named stays as it is."))
    .option("--max-files <n>", "files at most", wholeNumber(0))
    .option("--max-bytes <size>", "bytes at most, e.g. 10MB or 512KiB", parseSize)
    .option("--none", "lift both limits")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExamples:\n  hango quota\n  hango quota --max-files 5000 --max-bytes 100MB --agent support-bot\n  hango quota --none")
    .action(async (options: QuotaOptions) => {
      const { maxFiles, maxBytes, none = false } = options;
      const changes = maxFiles !== undefined || maxBytes !== undefined;
      if (none && changes) {
        const { HangoError } = await import("hango");
        throw new HangoError("invalid_argument", "--none lifts both limits, so it can't stand beside --max-files or --max-bytes.");
      }
      await withStore(
        options,
        async ({ files, namespace }) => {
          if (none) await files.setQuota(namespace, {});
          else if (changes) await files.setQuota(namespace, merged(await files.usage(namespace), options));
          await show(await files.usage(namespace), options.json === true);
        },
        { mustExist: !changes && !none },
      );
    });
}

function merged(now: Quota, { maxFiles = now.maxFiles, maxBytes = now.maxBytes }: QuotaOptions): Quota {
  return { ...(maxFiles === undefined ? {} : { maxFiles }), ...(maxBytes === undefined ? {} : { maxBytes }) };
}

async function show(usage: Usage, json: boolean): Promise<void> {
  if (json) return printJson(usage);
  const { files, bytes, maxFiles, maxBytes } = usage;
  const exact = bytes < 1000 ? "" : ` (${count(bytes)} bytes)`;
  await print(`files    ${count(files)}${part(files, maxFiles, count)}\nsize     ${size(bytes)}${exact}${part(bytes, maxBytes, size)}\n`);
}

function part(used: number, most: number | undefined, shown: (n: number) => string): string {
  if (most === undefined) return ", no limit";
  return ` of at most ${shown(most)}${most === 0 ? "" : `: ${Math.round((used / most) * 100)} %`}`;
}
