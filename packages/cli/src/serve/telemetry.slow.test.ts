/** What `hango serve` sends by OTLP, and what its page for Prometheus says. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { migrateUp } from "hango/postgres";
import { startOtlpReceiver } from "../../../../test/telemetry/otlp-receiver.ts";
import { freshDatabase } from "../../../../test/support/fresh-database.ts";
import { ensureBuilt, runHango } from "../built.test-support.ts";
import { type ServeProcess, startServe } from "./serve.test-support.ts";

beforeAll(ensureBuilt, 240_000);

const CANARY = "canary-41d7";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

async function metricsPage(server: ServeProcess): Promise<string> {
  const url = server.log().find(({ msg }) => msg === "telemetry is on")?.["metrics"];
  return (await fetch(String(url))).text();
}

it("spans, figures and a line for each change arrive at a collector, and the page tells tenants and connections; no content anywhere", async () => {
  const database = await freshDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  await migrateUp(database.url, { server: true });
  const collector = await startOtlpReceiver();
  onTestFinished(() => collector.close());
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: "files", HANGO_METRICS_PORT: "0" };
  const server = await startServe(database.url, { args: ["--allow-unfenced"], env });

  const file = `/v1/agents/${server.agentId}/files/memories/new.md`;
  const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
  const put = await server.ask(file, { method: "PUT", body: CANARY, headers: { ...headers, "if-none-match": "*" } });
  expect(put.status).toBe(201);
  expect(await (await server.ask(file, { headers })).text()).toBe(CANARY);
  expect((await server.ask(`/v1/agents/${server.agentId}/grep?pattern=${CANARY}`, { headers })).status).toBe(200);
  const page = await metricsPage(server);
  expect(await server.end()).toEqual({ code: 0, signal: null });

  const spans = collector.spans().filter(({ traceId }) => traceId === TRACE);
  const request = spans.find(({ name }) => name === "PUT /v1/agents/{id}/files");
  expect(request?.parentSpanId).toBe("00f067aa0ba902b7");
  const write = spans.find(({ name }) => name === "fs.write");
  expect(write?.parentSpanId).toBe(request?.spanId);
  expect(write?.attributes.get("hango.fs.path")).toBe("/memories/new.md");
  expect(write?.attributes.get("hango.agent.id")).toBe(server.agentId);
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(["fs.read", "fs.grep"]));

  const changed = collector.logs().filter(({ eventName }) => eventName === "hango.fs.changed");
  expect(changed.map(({ traceId, attributes }) => [traceId, attributes.get("op"), attributes.get("hango.actor"), attributes.get("hango.principal")])).toEqual([
    [TRACE, "write", "operator", "owner"],
  ]);
  for (const name of ["hango.fs.operations", "hango.fs.duration", "hango.fs.file_count", "db.client.connection.count"])
    expect(collector.metricNames()).toContain(name);
  expect(collector.raw()).toContain('"files"');
  expect(collector.raw()).not.toContain(CANARY);
  expect(collector.raw()).not.toContain(server.key);

  expect(page).toMatch(/^hango_fs_operations_total\{[^}]*op="write"[^}]*\} 1$/m);
  expect(page).toMatch(/^hango_fs_bytes_written_total\{[^}]*\} 11$/m);
  expect(page).toMatch(/^hango_fs_duration_bucket\{[^}]*le="0\.005"[^}]*\} \d+$/m);
  expect(page).toMatch(new RegExp(`^hango_fs_file_count\\{[^}]*tenant_id="${server.tenantId}"[^}]*\\} \\d+$`, "m"));
  expect(page).toMatch(/^db_client_connection_count\{[^}]*db_client_connection_state="idle"[^}]*\} \d+$/m);
  expect(page).toMatch(/^db_client_connection_max\{[^}]*\} 10$/m);
  expect(page).not.toContain("new.md");
  expect(page).not.toContain(CANARY);
}, 120_000);

it("without a collector that answers it serves and ends all the same, and says so once it gives up", async () => {
  const directory = mkdtempSync(join(tmpdir(), "hango-telemetry-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  const server = await startServe(`pglite:${join(directory, "data")}`, { env });
  expect((await server.ask("/v1/agents")).status).toBe(200);
  expect(server.log().find(({ msg }) => msg === "telemetry is on")).toMatchObject({ otlp: ["traces", "metrics", "logs"] });
  expect(await server.end()).toEqual({ code: 0, signal: null });
  expect(server.log().some(({ msg, level }) => level !== "info" && String(msg).includes("telemetry"))).toBe(true);
}, 120_000);

it("a variable that can't be stops it before anything is opened", async () => {
  const ran = await runHango(["serve", "--port", "0"], { env: { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" } });
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain("OTEL_EXPORTER_OTLP_PROTOCOL must be http/json");
}, 60_000);
