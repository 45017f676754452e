/** What `hango demo` sends by OTLP: the built command, and a receiver that keeps every body. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OtlpReceiver, startOtlpReceiver } from "../../../../test/telemetry/otlp-receiver.ts";
import { pathsOf } from "../../../../test/telemetry/tree.ts";
import { ensureBuilt, type Ran, runHango } from "../built.test-support.ts";

beforeAll(ensureBuilt, 240_000);

const CANARY = "canary-8e21";
/** Says which OpenTelemetry modules a process loads. */
const WATCH_LOADING = `import { registerHooks } from "node:module";
registerHooks({ load: (url, context, next) => (url.includes("opentelemetry") && process.stderr.write("loaded " + url + "\\n"), next(url, context)) });`;

let home = "";
let collector: OtlpReceiver;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "hango-told-"));
  collector = await startOtlpReceiver();
});
afterEach(async () => {
  await collector.close();
  await rm(home, { recursive: true, force: true });
});

async function put(path: string, content: string): Promise<void> {
  await mkdir(join(home, path, ".."), { recursive: true });
  await writeFile(join(home, path), content);
}

const told = (): Readonly<Record<string, string>> => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

describe("hango demo", () => {
  it("tells a backend the whole tree of its agent: invoke_agent, execute_tool below it, fs.* below that; and no content", async () => {
    const text = Array.from({ length: 60 }, (_, line) => `Line ${line} says ${CANARY} and reads like prose that people wrote.`).join("\n");
    for (let file = 0; file < 40; file++) await put(`files/page-${file}.md`, `# Page ${file}\n\n${text}\n`);
    const ran = await runHango(["demo", join(home, "files"), "--store", join(home, "store")], { env: told() });
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toContain(CANARY);

    const spans = collector.spans();
    const tree = pathsOf(spans);
    for (const [tool, operation] of [
      ["ls", "ls"],
      ["grep", "grep"],
      ["read_file", "read"],
      ["edit_file", "edit"],
    ])
      expect(tree).toContain(`invoke_agent demo > execute_tool ${tool} > fs.${operation}`);
    expect(tree.filter((path) => !path.startsWith("invoke_agent demo"))).toEqual([]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const agent = spans.find(({ name }) => name === "invoke_agent demo");
    const agentId = agent?.attributes.get("hango.agent.id");
    const sessionId = agent?.attributes.get("hango.session.id");
    expect(Object.fromEntries(agent?.attributes ?? [])).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "demo",
      "gen_ai.agent.id": agentId,
      "gen_ai.conversation.id": sessionId,
      "gen_ai.provider.name": "hango",
      "gen_ai.request.model": "scripted",
      "hango.agent.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "hango.tenant.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "hango.session.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const report = spans.find(({ name }) => name === "execute_tool project_report");
    expect(report?.events?.map(({ name }) => name)).toEqual(["tool.result_offloaded"]);
    const changed = collector.logs().filter(({ eventName }) => eventName === "hango.fs.changed");
    expect(changed.map(({ traceId, attributes }) => [traceId, attributes.get("op"), attributes.get("hango.agent.id")])).toEqual([
      [agent?.traceId, "edit", agentId],
      [agent?.traceId, "edit", agentId],
    ]);
    expect(collector.logs().filter(({ eventName }) => eventName === "tool.result_offloaded")).toHaveLength(1);
    for (const name of ["hango.fs.operations", "hango.fs.duration", "hango.tool.result_offloads"]) expect(collector.metricNames()).toContain(name);
    expect(collector.raw()).toContain('"service.name","value":{"stringValue":"hango"}');
    expect(collector.raw()).not.toContain(CANARY);
  }, 120_000);

  it("loads nothing of OpenTelemetry when no variable asks, also where others are set", async () => {
    await put("files/page.md", "A page of prose, a few words long.\n");
    await put("watch.mjs", WATCH_LOADING);
    const demo = (env: Readonly<Record<string, string>>): Promise<Ran> =>
      runHango(["demo", join(home, "files"), "--store", join(home, "store")], { env: { NODE_OPTIONS: `--import=${join(home, "watch.mjs")}`, ...env } });
    const quiet = await demo({ OTEL_SERVICE_NAME: "mine", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" });
    expect([quiet.code, quiet.stderr]).toEqual([0, ""]);
    expect((await demo(told())).stderr).toContain("loaded file:");
  }, 120_000);
});
