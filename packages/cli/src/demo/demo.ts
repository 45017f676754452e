/** `hango demo`: a real directory in a store on disk, an agent loop on it, and a screen that shows what the model saw. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type LanguageModel, ToolLoopAgent, gateway, stepCountIs } from "ai";
import { HangoError, createFileSystem, openSession, uuidFor } from "hango";
import { aiSdkTools } from "hango/ai-sdk";
import { openDatabase, postgresStorage } from "hango/postgres";
import { type ImportReport, importTree } from "../import-tree.ts";
import { projectReport } from "./report-tool.ts";
import { type Screen, count, screen, tokens } from "./screen.ts";
import { script } from "./script.ts";
import { scriptedModel } from "./scripted-model.ts";
import { chooseTarget } from "./target.ts";

export interface DemoOptions {
  readonly directory?: string;
  readonly store: string;
  /** An id for the AI Gateway; absent, the scripted model plays. */
  readonly model?: string;
}

const namespace = { tenantId: uuidFor("demo tenant"), agentId: uuidFor("demo agent") };
const TASK = "Look around, mark one interesting line of a file, get the project report, find one file's part in it, then confirm your mark.";
const MAX_STEPS = 20;

export async function runDemo(options: DemoOptions): Promise<void> {
  const started = performance.now();
  const out = screen();
  const directory = resolve(options.directory ?? ownSources());
  const store = resolve(options.store);
  const known = existsSync(store);
  if (options.model !== undefined && !process.env["AI_GATEWAY_API_KEY"])
    throw new HangoError(
      "invalid_argument",
      `--model ${options.model} needs a key for the AI Gateway in AI_GATEWAY_API_KEY. Set it, or leave --model out: the scripted model needs no key.`,
    );

  out.title(`hango demo: an agent works on ${directory}`);
  const database = await openDatabase(`pglite:${store}`);
  try {
    const files = postgresStorage(database);
    const storage = files.scope(namespace);
    const owner = createFileSystem(storage);
    const earlier = known ? await owner.ls("/large_tool_results").catch(() => []) : [];
    out.fact(
      "store",
      `${store} (${known ? `found as ${earlier.length} earlier run${earlier.length === 1 ? "" : "s"} left it` : "new: Postgres in this process, on disk"})`,
    );
    tellImport(out, await importTree(storage, directory));

    const run = earlier.length + 1;
    const session = openSession({ storage, sessionId: crypto.randomUUID() });
    const target = await chooseTarget(session.fs);
    const report = projectReport(storage);
    const other = openSession({ storage, sessionId: crypto.randomUUID() }).fs;
    const model: LanguageModel =
      options.model === undefined ? scriptedModel(script({ target, report, run, other, meanwhile: out.note })) : gateway(options.model);
    out.fact("model", options.model ?? "scripted (no key needed; it acts on what it sees)");
    out.fact("task", TASK);

    const agent = new ToolLoopAgent({
      model,
      instructions: session.prompt,
      tools: aiSdkTools(session, { tools: { project_report: report.tool } }),
      stopWhen: stepCountIs(MAX_STEPS),
      onStepFinish: ({ toolCalls, response }) => {
        for (const call of toolCalls) {
          out.call(call.toolName, call.input as Record<string, unknown>);
          const raw = call.toolName === "project_report" ? tokens(report.text()) : undefined;
          out.seen(seenBy(response.messages, call.toolCallId), raw === undefined ? {} : { rawTokens: raw });
        }
      },
    });
    const answer = await agent.generate({ prompt: TASK });
    out.title("The agent's answer");
    out.line(answer.text);

    out.title("What is in the store now");
    const usage = await files.usage(namespace);
    out.fact("files", `${count(usage.files)} (${count(usage.bytes)} bytes)`);
    out.fact("this run's results", `/large_tool_results/${session.sessionId} (no other session can see them)`);
    out.fact("who wrote last", "");
    for (const event of await files.events(namespace, { limit: 5 }))
      out.line(`  ${event.at.toISOString().slice(11, 19)}  ${event.actor.padEnd(9)}${(event.tool ?? "-").padEnd(16)}${event.outcome.padEnd(8)}${event.path}`);
    out.fact("took", `${((performance.now() - started) / 1000).toFixed(1)} s`);
    out.line("Run it again: the second run finds the store as this one left it.\n");
  } finally {
    await database.close();
  }
}

/** This repository when the CLI runs from it, else the installed package. */
function ownSources(): string {
  const library = fileURLToPath(new URL("..", import.meta.resolve("hango")));
  const root = resolve(library, "../..");
  return existsSync(resolve(root, "packages/hango/src")) ? root : library;
}

function tellImport(out: Screen, report: ImportReport): void {
  out.fact(
    "imported",
    `${count(report.files)} files, ${count(report.bytes)} bytes${report.alreadyThere > 0 ? `; ${count(report.alreadyThere)} were there already and stay as they are` : ""}`,
  );
  for (const { path, reason } of report.skipped.slice(0, 5)) out.fact("left out", `${path} (${reason})`);
  if (report.skipped.length > 5) out.fact("left out", `and ${count(report.skipped.length - 5)} more`);
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
