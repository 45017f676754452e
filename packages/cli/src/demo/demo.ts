/** `hango demo`: a real directory in a store on disk, an agent loop on it, and a screen that shows what the model saw. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type LanguageModel, ToolLoopAgent, gateway, stepCountIs } from "ai";
import { HangoError, createFileSystem, openSession, uuidFor } from "hango";
import { aiSdkTools } from "hango/ai-sdk";
import { openDatabase, postgresStorage } from "hango/postgres";
import { type ImportReport, importTree } from "../transfer/import-tree.ts";
import { directoryAt } from "../transfer/walk-tree.ts";
import { earlierRuns } from "./earlier-runs.ts";
import { projectReport } from "./report-tool.ts";
import { type Screen, count, counted, screen, tokens } from "./screen.ts";
import { script } from "./script.ts";
import { scriptedModel } from "./scripted-model.ts";
import { tellOutcome } from "./tell-outcome.ts";
import { chooseTarget } from "./target.ts";

export interface DemoOptions {
  readonly directory?: string;
  readonly store: string;
  /** An id for the AI Gateway; absent, the scripted model plays. */
  readonly model?: string;
}

const TASK = "Look around, mark one interesting line of a file, get the project report, find one file's part in it, then confirm your mark.";
const MAX_STEPS = 20;
const SHOWN_SKIPPED = 5;

export async function runDemo(options: DemoOptions): Promise<void> {
  const started = performance.now();
  if (options.model !== undefined && !process.env["AI_GATEWAY_API_KEY"])
    throw new HangoError(
      "invalid_argument",
      `--model ${options.model} needs a key for the AI Gateway in AI_GATEWAY_API_KEY. Set it, or leave --model out: the scripted model needs no key.`,
    );
  const out = screen();
  const directory = await directoryAt(resolve(options.directory ?? defaultDirectory()));
  const store = resolve(options.store);
  const known = existsSync(join(store, "PG_VERSION"));
  // Each directory is an agent of its own, so that two of them share a store and nothing else.
  const namespace = { tenantId: uuidFor("demo tenant"), agentId: uuidFor(`demo agent of ${directory}`) };

  out.title(`hango demo: an agent works on a copy of ${directory}`);
  const database = await openDatabase(`pglite:${store}`);
  try {
    const files = postgresStorage(database);
    const storage = files.scope(namespace);
    const report = await importTree({ files, namespace }, directory, {
      except: [store, `${store}.lock`],
      onProgress: ({ files: done, bytes }) => out.progress(`importing: ${counted(done, "file")}, ${counted(bytes, "byte")}`),
    });
    out.progress("");
    tellImport(out, report);

    const session = openSession({ storage, sessionId: crypto.randomUUID() });
    const target = await chooseTarget(session.fs);
    const earlier = await earlierRuns(storage, target.path);
    out.fact("store", `${store} (${storeFound(known, earlier)})`);
    const projects = projectReport(storage);
    const other = openSession({ storage, sessionId: crypto.randomUUID() }).fs;
    const model: LanguageModel =
      options.model === undefined ? scriptedModel(script({ target, report: projects, run: earlier + 1, other, meanwhile: out.note })) : gateway(options.model);
    out.fact("model", options.model ?? "scripted (no key needed; it acts on what it sees)");
    out.fact("task", TASK);

    const agent = new ToolLoopAgent({
      model,
      instructions: session.prompt,
      tools: aiSdkTools(session, { tools: { project_report: projects.tool } }),
      stopWhen: stepCountIs(MAX_STEPS),
      onStepFinish: ({ toolCalls, response }) => {
        for (const call of toolCalls) {
          out.call(call.toolName, call.input as Record<string, unknown>);
          const raw = call.toolName === "project_report" ? tokens(projects.text()) : undefined;
          out.seen(seenBy(response.messages, call.toolCallId), raw === undefined ? {} : { rawTokens: raw });
        }
      },
    });
    const answer = await agent.generate({ prompt: TASK });
    out.title("The agent's answer");
    out.line(answer.text);

    await tellOutcome(out, { files, namespace, owner: createFileSystem(storage), session });
    out.fact("took", `${((performance.now() - started) / 1000).toFixed(1)} s`);
    out.line("Your files were only read. Run it again: the second run finds the store as this one left it.");
  } finally {
    await database.close();
  }
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

function tellImport(out: Screen, report: ImportReport): void {
  const before = report.unchanged + report.kept;
  const there = before === 0 ? "" : `; ${count(before)} from before, left as they are`;
  out.fact("imported", `${counted(report.files, "file")}, ${counted(report.bytes, "byte")}${there}`);
  if (report.leftOut.length > 0) out.fact("not imported", `${report.leftOut.join(", ")} (at any depth)`);
  const skipped = [...report.skipped, ...report.left.filter(({ kind }) => kind === "refused")];
  const total = report.skipped.length + report.refused;
  for (const { path, reason } of skipped.slice(0, SHOWN_SKIPPED)) out.fact("left out", `${path} (${reason})`);
  if (total > SHOWN_SKIPPED) out.fact("left out", `and ${count(total - SHOWN_SKIPPED)} more`);
}

type Messages = readonly { readonly role: string; readonly content: unknown }[];

/** The text that the next request carries for one tool call. */
function seenBy(messages: Messages, toolCallId: string): string {
  for (const { role, content } of messages) {
    if (role !== "tool" || !Array.isArray(content)) continue;
    for (const part of content as { toolCallId?: string; output?: { value?: unknown } }[])
      if (part.toolCallId === toolCallId) return typeof part.output?.value === "string" ? part.output.value : JSON.stringify(part.output?.value);
  }
  return "";
}
