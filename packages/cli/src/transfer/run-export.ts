/** `hango export`: an agent's files into a directory, or as a tar archive on stdout. */
import { type FileData, HangoError, type PathFilter, sessionFilter } from "hango";
import { exitCodes } from "../exit-codes.ts";
import { absolute, readSession } from "../files.ts";
import { interrupted, leave } from "../interrupt.ts";
import { counted, print, printJson, say, size } from "../output.ts";
import { type StoreOptions, withStore } from "../store.ts";
import { interruptible } from "./interruptible.ts";
import { listed } from "./named.ts";
import { createProgress } from "./progress.ts";
import type { Skipped } from "./walk-tree.ts";
import { writeTar } from "./write-tar.ts";
import { writeTree } from "./write-tree.ts";

export interface ExportCommandOptions extends StoreOptions {
  readonly prefix?: string;
  readonly overwrite?: boolean;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

interface Exported {
  readonly files: number;
  readonly bytes: number;
  readonly skipped?: readonly Skipped[];
}

export async function runExport(to: string, options: ExportCommandOptions): Promise<void> {
  const isArchive = to === "-";
  if (isArchive && options.json === true) throw new HangoError("invalid_argument", "The archive goes to stdout, so there is no room for --json.");
  if (isArchive && process.stdout.isTTY)
    throw new HangoError("invalid_argument", "“-” writes a tar archive to stdout, and that is your terminal: hango export - > files.tar");
  // Until all is out: a reader that goes away ends the command, and half an archive is no success.
  process.exitCode = exitCodes.failed.code;
  if (isArchive) process.stdout.once("error", tellReaderGone);
  const started = performance.now();
  let [files, bytes] = [0, 0];
  const exported = await withStore(
    options,
    async (store) => {
      const { prefix } = prefixOf(options.prefix);
      // A name that is not there is a slip of the pen, and no empty tree.
      if (prefix !== undefined) await readSession(store).fs.stat(absolute(prefix), { signal: interrupted });
      const usage = await store.files.usage(store.namespace);
      const progress = createProgress({ what: "exporting", ...(prefix === undefined ? { totalFiles: usage.files, totalBytes: usage.bytes } : {}) });
      const onWritten = (file: FileData): void => progress.update(++files, (bytes += file.bytes.length));
      try {
        return await interruptible(async (signal): Promise<Exported> => {
          const filters: readonly PathFilter[] = [sessionFilter(store.sessionId)];
          const dump = store.files.dump(store.namespace, { filters, signal, ...(prefix === undefined ? {} : { prefix }) });
          if (isArchive) return writeTar(dump, process.stdout, { onWritten, signal });
          return writeTree(dump, to, { overwrite: options.overwrite === true, onWritten, signal });
        });
      } finally {
        progress.end();
      }
    },
    { mustExist: true },
  );
  if (exported === undefined) {
    say(`stopped after ${counted(files, "file")}; ${isArchive ? "the archive has no end" : `${to} holds only whole files, but not all of them`}.`);
    // What a slow reader has not taken would keep the process.
    return leave(exitCodes.interrupted.code);
  }
  const { skipped = [] } = exported;
  process.exitCode = skipped.length > 0 ? exitCodes.failed.code : exitCodes.ok.code;
  const seconds = (performance.now() - started) / 1000;
  if (options.json === true) await printJson({ ...exported, skipped });
  else {
    const line = `exported ${counted(exported.files, "file")}: ${size(exported.bytes)} in ${seconds.toFixed(1)} s, ${size(Math.round(exported.bytes / seconds))}/s`;
    if (isArchive) say(line);
    else await print(`${line}\n`);
    if (skipped.length > 0)
      say(
        `${counted(skipped.length, "file")} not written: ${listed(
          skipped.map(({ path, reason }) => `/${path} (${reason})`),
          skipped.length,
          { all: options.verbose === true },
        )}`,
      );
  }
  if (options.verbose === true) say(`${size(process.resourceUsage().maxRSS * 1024)} of memory at the most`);
}

/** Main ends the command; other failures of the output it tells of itself. */
function tellReaderGone({ code }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") say("whoever read the archive has stopped reading; what they have of it has no end.");
}

function prefixOf(given: string | undefined): { readonly prefix?: string } {
  const prefix = (given ?? "").replace(/^\/+|\/+$/g, "");
  return prefix === "" ? {} : { prefix };
}
