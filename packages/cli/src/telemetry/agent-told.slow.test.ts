/** What `hango agent` sends by OTLP: the built command, and a receiver that keeps every body. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type OtlpReceiver, startOtlpReceiver } from "../../../../test/telemetry/otlp-receiver.ts";
import { pathsOf } from "../../../../test/telemetry/tree.ts";
import { type ChatServer, chatServer } from "../agent/chat-server.test-support.ts";
import { ensureBuilt, type Ran, runHango, type RunOptions } from "../built.test-support.ts";

beforeAll(ensureBuilt, 240_000);

const CANARY = "canary-8e21";
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

/** One line for a person. */
const TOLD = /^hango: the telemetry was not sent, or not all of it \([^{}\n]+\); the run itself is not affected\.\n$/;

async function silentPort(): Promise<string> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("hango agent", () => {
  let model: ChatServer;
  const play = [
    { say: `I look for ${CANARY}.`, calls: [{ tool: "read_file", input: { path: "/a.md" } }] },
    { calls: [{ tool: "edit_file", input: { path: "/a.md", old_string: CANARY, new_string: `${CANARY}, twice` } }] },
    { say: `I wrote ${CANARY} twice.` },
  ];
  beforeEach(async () => {
    model = await chatServer();
    onTestFinished(() => model.close());
    await put("files/a.md", `One line: ${CANARY}\n`);
  });

  const agent = (env: Readonly<Record<string, string>>, options: RunOptions & { readonly args?: readonly string[] } = {}): Promise<Ran> =>
    runHango(["agent", "--model", "small", "--base-url", model.url, "--dir", join(home, "files"), `write ${CANARY}`, ...(options.args ?? ["--yes"])], {
      ...options,
      env: { ...told(), ...env },
    });
  const span = (name: string): ReturnType<OtlpReceiver["spans"]>[number] | undefined => collector.spans().find((each) => each.name === name);

  it("tells the same of a run on a directory: nothing of the task, the files, or the model's words", async () => {
    model.play(play);
    const ran = await agent({ OTEL_SERVICE_NAME: "mine" });
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    const tree = pathsOf(collector.spans());
    expect(tree).toEqual(
      expect.arrayContaining([
        "invoke_agent hango",
        "invoke_agent hango > execute_tool read_file > fs.read",
        "invoke_agent hango > execute_tool edit_file > fs.edit",
      ]),
    );
    expect(Object.fromEntries(span("invoke_agent hango")?.attributes ?? [])).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "hango",
      "gen_ai.provider.name": "openai-compatible",
      "gen_ai.request.model": "small",
      "gen_ai.usage.input_tokens": 300,
      "gen_ai.usage.output_tokens": 30,
    });
    expect(collector.logs().map(({ eventName, attributes }) => [eventName, attributes.get("op"), attributes.get("hango.fs.path")])).toEqual([
      ["hango.fs.changed", "edit", "/a.md"],
    ]);
    expect(collector.raw()).toContain('"mine"');
    expect(collector.raw()).not.toContain(CANARY);
  }, 120_000);

  it("calls an agent of a store by its name, and hashes paths when asked to", async () => {
    model.play([{ calls: [{ tool: "write_file", input: { path: "/notes/a.md", content: CANARY } }] }, { say: "Done." }]);
    const args = ["agent", "--model", "small", "--base-url", model.url, "--db", `pglite:${join(home, "data")}`, "--agent", "researcher", "write", "--yes"];
    expect((await runHango(args, { env: { ...told(), HANGO_TELEMETRY_PATHS: "hashed" } })).code).toBe(0);
    expect(span("invoke_agent researcher")?.attributes.get("gen_ai.agent.id")).toBe(span("fs.write")?.attributes.get("hango.agent.id"));
    expect(span("fs.write")?.attributes.get("hango.fs.path")).toMatch(/^sha256:/);
    expect(collector.raw()).not.toContain("/notes/a.md");
  }, 120_000);

  it("sends what is there when the model fails, and when Ctrl-C or SIGTERM ends the run", async () => {
    model.play([play[0] ?? { say: "" }, { status: 401, body: `{"error":{"message":"${CANARY}"}}` }]);
    expect((await agent({})).code).toBe(5);
    expect(span("invoke_agent hango")?.attributes.get("error.type")).toBe("unavailable");

    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const before = collector.spans().length;
      const stop = new AbortController();
      model.play([
        play[0] ?? { say: "" },
        async () => {
          setTimeout(() => stop.abort(signal), 300);
          return { fault: "hang" };
        },
      ]);
      expect((await agent({}, { stop: stop.signal })).code).toBe(code);
      const spans = collector.spans().slice(before);
      expect(pathsOf(spans)).toContain("invoke_agent hango > execute_tool read_file > fs.read");
      expect(spans.find(({ name }) => name === "invoke_agent hango")?.attributes.get("error.type")).toBe("aborted");
    }
    expect(collector.raw()).not.toContain(CANARY);
  }, 120_000);

  it.each(["refuses", "is silent"])("a collector that %s changes neither the result nor the exit code, and is one line for a person", async (how) => {
    const url = how === "refuses" ? "http://127.0.0.1:9" : await silentPort();
    model.play(play);
    const { code, stdout, stderr } = await agent({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: "500" });
    expect(code).toBe(0);
    expect(stdout).toContain("modified  a.md");
    expect(stderr).toMatch(TOLD);
  });

  it("a collector that is silent holds up no SIGTERM for longer than one sending may take, and is told of as well", async () => {
    const silent = await silentPort();
    const stop = new AbortController();
    model.play([
      async () => {
        setTimeout(() => stop.abort("SIGTERM"), 300);
        return { fault: "hang" };
      },
    ]);
    const { code, stderr } = await agent({ OTEL_EXPORTER_OTLP_ENDPOINT: silent, OTEL_EXPORTER_OTLP_TIMEOUT: "500" }, { stop: stop.signal });
    expect([code, stderr]).toEqual([143, expect.stringMatching(TOLD)]);
  });

  it("a variable that can't be stops it before anything is opened", async () => {
    const { code, stderr } = await agent({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" });
    expect([code, stderr]).toEqual([
      2,
      "hango: OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, the one that is spoken here (collectors take it on port 4318).\n",
    ]);
    expect(model.requests).toEqual([]);
  });
});
