/** `hango import`: a directory, or a tar archive on stdin, into a namespace. */
import { resolve } from "node:path";
import { HangoError, isHangoError, validatePath } from "hango";
import type { LoadOptions, LoadReport } from "hango/postgres";
import { exitCodes } from "../exit-codes.ts";
import { count, counted, print, printJson, say, size } from "../output.ts";
import { type StoreOptions, withStore } from "../store.ts";
import { createGitIgnore } from "./git-ignore.ts";
import { importArchive } from "./import-archive.ts";
import { given, type ImportReport, type ImportTarget, importTree } from "./import-tree.ts";
import { interruptible } from "./interruptible.ts";
import { listed } from "./named.ts";
import { createProgress } from "./progress.ts";
import { tellImport } from "./tell-import.ts";
import { directoryAt, leftOutNames, walkTree, type WalkOptions } from "./walk-tree.ts";
import { wantsOf } from "./wants.ts";

export interface ImportCommandOptions extends StoreOptions {
  readonly into?: string;
  readonly overwrite?: boolean;
  readonly ifNewer?: boolean;
  readonly atomic?: boolean;
  readonly gitignore?: boolean;
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly json?: boolean;
  readonly verbose?: boolean;
}

const NOTHING: LoadReport = { files: 0, replaced: 0, bytes: 0, unchanged: 0, kept: 0, older: 0, refused: 0, left: [] };

type Source = "directory" | "archive";

export async function runImport(from: string, options: ImportCommandOptions): Promise<void> {
  const source: Source = from === "-" ? "archive" : "directory";
  if (options.overwrite === true && options.ifNewer === true) throw new HangoError("invalid_argument", "Give --overwrite or --if-newer, not both.");
  if (source === "archive" && process.stdin.isTTY) throw new HangoError("invalid_argument", "“-” reads a tar archive from stdin: tar c DIR | hango import -");
  if (source === "archive" && (options.gitignore === true || options.all === true || options.dryRun === true))
    throw new HangoError("invalid_argument", "--gitignore, --all and --dry-run are for directories; an archive holds what it holds.");
  const into = intoOf(options.into);
  const root = source === "directory" ? await directoryAt(resolve(from)) : "";
  if (options.dryRun === true) return dryRun(root, walkOptionsOf(root, options), options);

  const started = performance.now();
  const state: State = { report: NOTHING, atomic: options.atomic === true };
  const imported = await withStore(options, (target) =>
    inWords(state, () => interruptible((signal) => move({ target, source, root, into, state, signal }, options))),
  );
  if (imported === undefined) return say(stoppedAt(state));
  const seconds = (performance.now() - started) / 1000;
  if (options.json === true) await printJson(imported);
  else
    await print(
      tellImport(imported, { seconds, all: options.verbose === true })
        .map((line) => `${line}\n`)
        .join(""),
    );
  if (options.verbose === true) say(`${size(process.resourceUsage().maxRSS * 1024)} of memory at the most`);
  if (imported.kept > 0) process.exitCode = exitCodes.conflict.code;
  else if (imported.missing > 0) process.exitCode = exitCodes.failed.code;
}

/** How far an import is. */
interface State {
  /** What the store has said so far. */
  report: LoadReport;
  /** Of a directory, once it was walked. */
  total?: number;
  readonly atomic: boolean;
}

interface Move {
  readonly target: ImportTarget;
  readonly source: Source;
  readonly root: string;
  readonly into: string;
  readonly state: State;
  readonly signal: AbortSignal;
}

async function move({ target, source, root, into, state, signal }: Move, options: ImportCommandOptions): Promise<ImportReport> {
  const onProgress = (report: LoadReport): void => void (state.report = report);
  const load = { ...given({ overwrite: modeOf(options), atomic: options.atomic }), onProgress, signal };
  let progress = createProgress({ what: "importing" });
  let [files, bytes] = [0, 0];
  const onRead = (sizeBytes: number): void => progress.update(++files, (bytes += sizeBytes));
  try {
    if (source === "archive") return await importArchive(target, process.stdin, { load, into, wants: wantsOf(options), onRead });
    return await importTree(target, root, {
      ...load,
      ...walkOptionsOf(root, options),
      into,
      onFound: ({ files: found }) => {
        state.total = found.length;
        const totalBytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        progress = createProgress({ what: "importing", totalFiles: found.length, totalBytes });
      },
      onRead: ({ sizeBytes }) => onRead(sizeBytes),
    });
  } finally {
    progress.end();
  }
}

function modeOf({ overwrite, ifNewer }: ImportCommandOptions): LoadOptions["overwrite"] {
  return overwrite === true ? "always" : ifNewer === true ? "newer" : "never";
}

function walkOptionsOf(root: string, options: ImportCommandOptions): WalkOptions {
  return {
    except: storePlaces(options.db),
    all: options.all === true,
    wants: wantsOf(options),
    ...(options.gitignore === true ? { gitIgnore: createGitIgnore(root, { case: "as git" }) } : {}),
  };
}

/** The store itself may lie in the tree. */
function storePlaces(db: string): readonly string[] {
  if (!db.startsWith("pglite:") || db === "pglite:") return [];
  const store = resolve(db.slice("pglite:".length));
  return [store, `${store}.lock`];
}

/** "docs/" for "/docs". Errors: invalid_path. */
function intoOf(given: string | undefined): string {
  const path = (given ?? "").replace(/^\/+|\/+$/g, "");
  if (path === "") return "";
  validatePath(path);
  return `${path}/`;
}

async function dryRun(root: string, walk: WalkOptions, options: ImportCommandOptions): Promise<void> {
  const { files, skipped, leftOut, passedBy } = await walkTree(root, walk);
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (options.json === true) return printJson({ files: files.length, bytes, skipped, leftOut, passedBy });
  await print(`would read ${counted(files.length, "file")}: ${size(bytes)}; the store was not looked at\n`);
  if (skipped.length > 0)
    await print(
      `${count(skipped.length)} would not be stored: ${listed(
        skipped.map(({ path, reason }) => `${path} (${reason})`),
        skipped.length,
        { all: options.verbose === true },
      )}\n`,
    );
  if (passedBy > 0) await print(`${count(passedBy)} would be passed by, as the rules ask\n`);
  if (leftOut.length > 0) await print(`would leave out at any depth: ${leftOutNames(leftOut)}\n`);
}

/** An error in the middle says what is stored. */
async function inWords<T>(state: State, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isHangoError(error)) throw error;
    const advice = error.code === "already_exists" ? " To write over them: --overwrite, or --if-newer for those that are older." : "";
    // The load says invalid_argument for what it was given; here that is a file, and no option.
    const code = error.code === "invalid_argument" && error.details?.["refused"] !== undefined ? "invalid_content" : error.code;
    throw new HangoError(code, `${error.message}${advice}${state.atomic ? "" : ` ${stored(state)}`}`, { cause: error });
  }
}

function stoppedAt(state: State): string {
  if (state.atomic) return "stopped; nothing was stored, since all or nothing was asked for.";
  return `stopped. ${stored(state)} Run the same command again to go on: files that are equal are passed by.`;
}

function stored({ report: { files, replaced, unchanged }, total }: State): string {
  const there = files + replaced + unchanged;
  if (total !== undefined) return `${count(there)} of ${counted(total, "file")} are in.`;
  return `${counted(there, "file")} ${there === 1 ? "is" : "are"} in.`;
}
