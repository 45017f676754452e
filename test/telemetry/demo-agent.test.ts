/** The agent of `hango demo`, observed: what a backend gets of its run. */
import { context, trace } from "@opentelemetry/api";
import { memoryStorage, openSession, uuidFor } from "hango";
import { observeTools, withTelemetry } from "hango/telemetry";
import { expect, it } from "vitest";
import { runLoop } from "../../packages/cli/src/demo/agent-loop.ts";
import { projectReport } from "../../packages/cli/src/demo/report-tool.ts";
import type { Screen } from "../../packages/cli/src/demo/screen.ts";
import { script } from "../../packages/cli/src/demo/script.ts";
import { scriptedModel } from "../../packages/cli/src/demo/scripted-model.ts";
import { chooseTarget } from "../../packages/cli/src/demo/target.ts";
import { createRecorder, treeOf } from "./recorder.ts";

const CANARY = "canary-5d07";
const nothing = (): void => undefined;
const screen: Screen = {
  title: nothing,
  line: nothing,
  text: nothing,
  note: nothing,
  fact: nothing,
  progress: nothing,
  call: nothing,
  seen: nothing,
  row: nothing,
  diff: nothing,
};

it("the demo's agent leaves the whole tree: the agent's span, execute_tool below it, fs.* below that, the offload's event, and no content", async () => {
  const recorder = createRecorder();
  const storage = memoryStorage();
  const text = Array.from({ length: 60 }, (_, line) => `Line ${line} says ${CANARY} and reads like prose that people wrote.`).join("\n");
  for (let file = 0; file < 40; file++) await storage.write(`docs/page-${file}.md`, new TextEncoder().encode(`# Page ${file}\n\n${text}\n`));
  const session = withTelemetry(openSession({ storage, sessionId: uuidFor("demo") }), { agentId: uuidFor("demo agent"), ...recorder.providers });
  const projects = projectReport(storage);
  const target = await chooseTarget(session.fs);
  const other = openSession({ storage, sessionId: uuidFor("colleague") }).fs;
  const model = scriptedModel(script({ target, report: projects, run: 1, other, meanwhile: nothing }));

  const span = recorder.providers.tracerProvider.getTracer("app").startSpan("invoke_agent demo");
  const { calls } = await context.with(trace.setSpan(context.active(), span), () =>
    runLoop(screen, { session, observeTools: (tools) => observeTools(session, tools), model, projects }),
  );
  span.end();

  const tree = treeOf(recorder.spans());
  for (const [tool, operation] of [
    ["ls", "ls"],
    ["grep", "grep"],
    ["read_file", "read"],
    ["edit_file", "edit"],
  ])
    expect(tree).toContain(`invoke_agent demo > execute_tool ${tool} > fs.${operation}`);
  const toolSpans = recorder.spans().filter(({ name }) => name.startsWith("execute_tool "));
  expect(toolSpans).toHaveLength(calls);
  expect(toolSpans.find(({ name }) => name === "execute_tool project_report")?.events.map(({ name }) => name)).toEqual(["tool.result_offloaded"]);
  expect(toolSpans.map(({ attributes }) => attributes["error.type"]).filter((code) => code !== undefined)).toEqual(["conflict"]);
  expect(projects.text()).toContain(CANARY);
  expect(await recorder.everything()).not.toContain(CANARY);
});
