import { Command } from "commander";
import type { DirEntry } from "hango";
import { interrupted } from "../interrupt.ts";
import { plain, print, printJson, styled } from "../output.ts";
import { type StoreOptions, withStore, withStoreOptions } from "../store.ts";

interface LsOptions extends StoreOptions {
  readonly long?: boolean;
  readonly json?: boolean;
}

/** Entries asked for at a time. */
const PAGE = 1_000;

/** `hango ls` */
export function lsCommand(): Command {
  return withStoreOptions(new Command("ls").description("List a directory.").argument("[path]", "the directory", "/"))
    .option("-l, --long", "with size, time of the last change and version")
    .option("--json", "print one JSON array")
    .addHelpText("after", "\nExamples:\n  hango ls\n  hango ls -l /docs\n  hango ls --json /docs --agent support-bot")
    .action((path: string, options: LsOptions) =>
      withStore(
        options,
        async (store) => {
          const { absolute, readSession } = await import("../files.ts");
          const { fs } = readSession(store);
          const all: DirEntry[] = [];
          for (let after: string | undefined; ;) {
            const page = await fs.ls(absolute(path), { limit: PAGE, signal: interrupted, ...(after === undefined ? {} : { after }) });
            const last = page.at(-1);
            if (options.json === true) all.push(...page);
            else await print(page.map((entry) => `${line(entry, options.long === true)}\n`).join(""));
            if (last === undefined || page.length < PAGE) break;
            after = nameOf(last);
          }
          if (options.json === true) await printJson(all);
        },
        { mustExist: true },
      ),
    );
}

const nameOf = ({ name, kind }: DirEntry): string => (kind === "directory" ? `${name}/` : name);

function line(entry: DirEntry, long: boolean): string {
  const name = plain(nameOf(entry));
  const shown = entry.kind === "directory" ? styled("blue", name) : name;
  if (!long) return shown;
  return `${String(entry.sizeBytes ?? "-").padStart(10)}  ${(entry.updatedAt?.toISOString() ?? "-").padEnd(24)}  ${(entry.version ?? "-").padEnd(38)}  ${shown}`;
}
