/** `hango demo`: a real directory in a store on disk, an agent loop on it, and a screen that shows what the model saw. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type LanguageModel, gateway } from "ai";
import { HangoError, openSession } from "hango";
import { interrupted } from "../interrupt.ts";
import { count, counted } from "../output.ts";
import { type Store, withStore } from "../store.ts";
import type { InvokeAgent } from "../telemetry/invocation.ts";
import { withInvokeAgent } from "../telemetry/with-invoke-agent.ts";
import { type ImportReport, importTree } from "../transfer/import-tree.ts";
import { directoryAt } from "../transfer/walk-tree.ts";
import { TASK, runLoop } from "./agent-loop.ts";
import { earlierRuns } from "./earlier-runs.ts";
import { DEMO_TENANT, agentNameOf, shownPlace } from "./names.ts";
import { nextCommands } from "./next-commands.ts";
import { projectReport } from "./report-tool.ts";
import { type Screen, screen } from "./screen.ts";
import { script } from "./script.ts";
import { scriptedModel } from "./scripted-model.ts";
import { showExport } from "./show-export.ts";
import { showGrep, wordOf } from "./show-grep.ts";
import { chooseTarget } from "./target.ts";
import { tellOutcome } from "./tell-outcome.ts";

export interface DemoOptions {
  readonly directory?: string;
  readonly store: string;
  /** An id for the AI Gateway; absent, the scripted model plays. */
  readonly model?: string;
}

const SHOWN_SKIPPED = 5;

export async function runDemo(options: DemoOptions): Promise<void> {
  const started = performance.now();
  if (options.model !== undefined && !process.env["AI_GATEWAY_API_KEY"])
    throw new HangoError(
      "invalid_argument",
      `--model ${options.model} needs a key for the AI Gateway in AI_GATEWAY_API_KEY. Set it, or leave --model out: the scripted model needs no key.`,
    );
  const directory = await directoryAt(resolve(options.directory ?? defaultDirectory()));
  const place = resolve(options.store);
  const known = existsSync(join(place, "PG_VERSION"));
  const agent = agentNameOf(directory);
  await withInvokeAgent((invoke) => {
    const out = screen();
    out.title(`hango demo: an agent works on a copy of ${shownPlace(directory)}`);
    return withStore({ db: `pglite:${place}`, tenant: DEMO_TENANT, agent }, (store) =>
      play(out, { started, store, place, directory, agent, known, invoke, ...(options.model === undefined ? {} : { model: options.model }) }),
    );
  });
}

interface Play {
  readonly started: number;
  readonly store: Store;
  readonly place: string;
  readonly directory: string;
  readonly agent: string;
  /** Whether the store was there before. */
  readonly known: boolean;
  readonly invoke: InvokeAgent;
  readonly model?: string;
}

async function play(out: Screen, { started, store, place, directory, agent, known, invoke, model: given }: Play): Promise<void> {
  const opened = performance.now();
  const { files, namespace, storage } = store;
  const except = [place, `${place}.lock`];
  const report = await importTree(store, directory, {
    except,
    onProgress: ({ files: done, bytes }) => out.progress(`importing: ${counted(done, "file")}, ${counted(bytes, "byte")}`),
    signal: interrupted,
  });
  out.progress("");
  tellImport(out, report, (performance.now() - opened) / 1000);

  const session = openSession({ storage, sessionId: crypto.randomUUID() });
  const target = await chooseTarget(session.fs);
  const earlier = await earlierRuns(storage, target.path);
  out.fact("store", `${shownPlace(place)} (${storeFound(known, earlier)})`);
  const word = wordOf(target);
  await showGrep(out, session.fs, { word, files: report.files + report.unchanged + report.kept });

  out.title("The agent's turn");
  out.fact("model", given ?? "scripted (no key needed; it acts on what it sees)");
  out.fact("task", TASK);
  const projects = projectReport(storage);
  const other = openSession({ storage, sessionId: crypto.randomUUID() }).fs;
  const model: LanguageModel =
    given === undefined ? scriptedModel(script({ target, report: projects, run: earlier + 1, other, meanwhile: out.note })) : gateway(given);
  const loop = await invoke(
    { name: DEMO_TENANT, namespace, model, session },
    (observed) => runLoop(out, { ...observed, model, projects }),
    (told) => told,
  );
  out.title("The agent's answer");
  out.text(loop.text);

  const refused = [...report.skipped, ...report.left.filter(({ kind }) => kind === "refused")].map(({ path }) => path);
  await showExport(out, { files, namespace, directory, compare: { except, unless: new Set(refused) } });
  await tellOutcome(out, { files, namespace, session, loop, store: place });
  out.fact("took", `${((performance.now() - started) / 1000).toFixed(1)} s`);

  out.title("Go on from here");
  for (const command of nextCommands({ store: place, agent, word, path: target.path })) out.line(command);
  out.text("Your files were only read. Run the demo again: the second run finds the store as this one left it.");
}

/** This repository when the CLI runs from it, else where the user stands: an installed package holds nothing to look at. */
function defaultDirectory(): string {
  const root = fileURLToPath(new URL("../../..", import.meta.resolve("hango")));
  return existsSync(resolve(root, "packages/hango/src")) ? root : process.cwd();
}

function storeFound(known: boolean, earlier: number): string {
  if (!known) return "new: Postgres in this process, on disk";
  return earlier === 0 ? "found; the first run on this directory" : `found as ${counted(earlier, "earlier run")} left it`;
}

function tellImport(out: Screen, report: ImportReport, seconds: number): void {
  const before = report.unchanged + report.kept;
  const there = before === 0 ? "" : `; ${count(before)} from before, left as they are`;
  out.fact("imported", `${counted(report.files, "file")}, ${counted(report.bytes, "byte")} in ${seconds.toFixed(1)} s${there}`);
  if (report.leftOut.length > 0) out.fact("not imported", `${report.leftOut.join(", ")} (at any depth)`);
  const skipped = [...report.skipped, ...report.left.filter(({ kind }) => kind === "refused")];
  const total = report.skippedCount + report.refused;
  for (const { path, reason } of skipped.slice(0, SHOWN_SKIPPED)) out.fact("left out", `${path} (${reason})`);
  if (total > SHOWN_SKIPPED) out.fact("left out", `and ${count(total - SHOWN_SKIPPED)} more`);
}
