import { Command } from "commander";
import type { DirEntry } from "hango";
import { interrupted } from "../interrupt.ts";
import { count, plain, print, printJson } from "../output.ts";
import { type StoreOptions, withStore, withStoreOptions } from "../store.ts";

interface StatOptions extends StoreOptions {
  readonly json?: boolean;
}

/** `hango stat` */
export function statCommand(): Command {
  return withStoreOptions(
    new Command("stat").description("Show what stands at a path: kind, size, content type, version, last change.").argument("<path>", "a file or a directory"),
  )
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExamples:\n  hango stat /docs/plan.md\n  hango stat --json /docs/plan.md")
    .action((path: string, options: StatOptions) =>
      withStore(
        options,
        async (store) => {
          const { absolute, readSession } = await import("../files.ts");
          const entry = await readSession(store).fs.stat(absolute(path), { signal: interrupted });
          await (options.json === true ? printJson(entry) : print(facts(entry)));
        },
        { mustExist: true },
      ),
    );
}

function facts({ path, kind, sizeBytes, contentType, version, updatedAt }: DirEntry): string {
  const rows = [
    ["path", plain(path)],
    ["kind", kind],
    ["size", sizeBytes === undefined ? undefined : `${count(sizeBytes)} bytes`],
    ["type", contentType],
    ["version", version],
    ["changed", updatedAt?.toISOString()],
  ];
  return rows.map(([name, value]) => (value === undefined ? "" : `${String(name).padEnd(9)}${value}\n`)).join("");
}
