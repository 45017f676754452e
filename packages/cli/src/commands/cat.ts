import { Command } from "commander";
import type { FileData, Session } from "hango";
import { interrupted } from "../interrupt.ts";
import { print, printJson } from "../output.ts";
import { type LineRange, parseLines } from "../size.ts";
import { type StoreOptions, withStore, withStoreOptions } from "../store.ts";

interface CatOptions extends StoreOptions {
  readonly lines?: LineRange;
  readonly json?: boolean;
}

/** `hango cat` */
export function catCommand(): Command {
  return withStoreOptions(new Command("cat").description("Write a file to stdout, byte for byte.").argument("<path>", "the file"))
    .option("--lines <range>", "only these lines, numbered: 10:20, 10:, :20 or 10", parseLines)
    .option("--json", "print one JSON object: path, version, sizeBytes, contentType, and text or base64")
    .addHelpText("after", "\nExamples:\n  hango cat /docs/plan.md\n  hango cat /docs/plan.md --lines 10:20\n  hango cat /logo.png > logo.png")
    .action((path: string, options: CatOptions) =>
      withStore(
        options,
        async (store) => {
          const { absolute, readSession } = await import("../files.ts");
          const session = readSession(store);
          const at = absolute(path);
          if (options.lines !== undefined) return showLines(session, at, { range: options.lines, json: options.json === true });
          const file = await readWhole(session, at);
          await (options.json === true ? printJson(await described(file, at)) : print(file.bytes));
        },
        { mustExist: true },
      ),
    );
}

/** The words of stat for what is no file; the bytes of the storage for what is. */
async function readWhole({ fs, storage }: Session, path: string): Promise<FileData> {
  const { HangoError, parseAgentPath } = await import("hango");
  const file = parseAgentPath(path).slice(1);
  if (file === "") throw new HangoError("not_a_file", "/ is a directory. Use “hango ls” to see what it holds.");
  await fs.stat(path, { signal: interrupted });
  return storage.read(file, { signal: interrupted });
}

async function described({ info, bytes }: FileData, path: string): Promise<unknown> {
  const { decodeText } = await import("hango");
  const text = decodeText(bytes);
  const { version, sizeBytes, contentType, updatedAt } = info;
  return { path, version, sizeBytes, contentType, updatedAt, ...(text === undefined ? { base64: Buffer.from(bytes).toString("base64") } : { text }) };
}

async function showLines({ fs }: Session, path: string, { range, json }: { readonly range: LineRange; readonly json: boolean }): Promise<void> {
  const { from, to } = range;
  const window = await fs.read(path, { offset: from, signal: interrupted, ...(to === undefined ? {} : { limit: to - from + 1 }) });
  if (json) return printJson({ ...window, lines: window.lines.map(({ number, text }) => ({ number, text })) });
  await print(window.lines.map(({ number, text }) => `${String(number).padStart(6)}\t${text}\n`).join(""));
}
