/** A real Prometheus scrapes `hango serve` and an agent's program, and every query of the dashboard and the rules finds a series. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { migrateUp } from "hango/postgres";
import { beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { ensureBuilt } from "../../packages/cli/src/built.test-support.ts";
import { startServe, type ServeProcess } from "../../packages/cli/src/serve/serve.test-support.ts";
import { freshDatabase } from "../support/fresh-database.ts";
import { startMeteredAgent } from "./prometheus-agent.ts";
import { dashboardQuestions, dashboardVariables, type Question } from "./prometheus-dashboard.ts";
import { limitQuota, ordinaryWork, stalledDatabase } from "./prometheus-load.ts";
import { findPrometheus, NO_PROMETHEUS } from "./prometheus-programs.ts";
import { OPS_PROMETHEUS, type Prometheus, startPrometheus } from "./prometheus-server.ts";

const programs = findPrometheus();
// A skipped test says its reason only in a verbose report.
if (programs === undefined) process.stderr.write(`The queries of ops/ are not asked: ${NO_PROMETHEUS}.\n`);

const LOOKS = 240;
const LOOK_MS = 500;

beforeAll(async () => {
  if (programs !== undefined) await ensureBuilt();
}, 240_000);

it("every query of the dashboard and the rules returns a series, variables included", async ({ skip }) => {
  if (programs === undefined) return skip(NO_PROMETHEUS);
  const database = await freshDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  await migrateUp(database.url, { server: true });
  const server = await startServe(database.url, { args: ["--allow-unfenced"], env: { HANGO_METRICS_PORT: "0", HANGO_DB_CONNECTIONS: "2" } });
  await limitQuota(database.url, server);
  const agent = await startMeteredAgent();
  onTestFinished(() => agent.close());
  const prometheus = await startPrometheus(programs.prometheus, [metricsOf(server), agent.target]);
  onTestFinished(() => prometheus.stop());

  await ordinaryWork(server);
  await agent.run();
  const values = new Map<string, readonly string[]>();
  const wanted = { op: expect.arrayContaining(["delete", "edit", "glob", "grep", "ls", "read", "stat", "write"]), tenant: [server.tenantId] };
  for (const { name, metric, label } of dashboardVariables()) {
    await expect
      .poll(() => prometheus.labelValues(metric, label), { timeout: 20_000, interval: LOOK_MS })
      .toEqual(wanted[name as keyof typeof wanted] ?? `values of ${name}, which this test does not know`);
    values.set(name, await prometheus.labelValues(metric, label));
  }

  const rules = await prometheus.rules();
  const queryOf = (rule: string): string => rules.find(({ name }) => name === rule)?.query ?? `no rule ${rule}`;
  // The first write that a quota refused was no alert: a counter that begins at 1 has not increased.
  expect(await prometheus.ask(queryOf("HangoOverQuota"))).toEqual([1]);

  const ofRules = rules.flatMap(({ name, query, type }) => [
    { from: name, query },
    ...(type === "recording" ? [{ from: `what ${name} records`, query: name }] : []),
  ]);
  const questions = [...dashboardQuestions(values), ...ofRules.filter(({ from }) => from !== "HangoDown")];
  const stop = new AbortController();
  const work = async (): Promise<void> => {
    try {
      while (!stop.signal.aborted) {
        await ordinaryWork(server);
        await agent.run();
        await stalledDatabase(database.url, server);
      }
    } finally {
      stop.abort();
    }
  };
  const looking = unanswered(prometheus, questions, stop.signal).finally(() => stop.abort());
  const [open] = await Promise.all([looking, work()]);
  expect(open).toEqual([]);
  const troubles = async (): Promise<readonly string[]> =>
    (await prometheus.targets()).flatMap(({ health, lastError }) => (health === "up" ? [] : [lastError]));
  await expect.poll(troubles, { timeout: 20_000, interval: LOOK_MS }).toEqual([]);
  expect((await prometheus.rules()).filter(({ health }) => health !== "ok")).toEqual([]);

  await server.end();
  await expect.poll(() => prometheus.ask(queryOf("HangoDown")), { timeout: 20_000, interval: LOOK_MS }).toEqual([0]);
}, 300_000);

it("Prometheus's own checker finds nothing to say against the configuration and the rules", ({ skip }) => {
  const promtool = programs?.promtool;
  if (promtool === undefined) return skip("there is no promtool beside a prometheus");
  const said = execFileSync(promtool, ["check", "config", join(OPS_PROMETHEUS, "prometheus.yml")], { encoding: "utf8", stdio: "pipe" });
  expect(said).toMatch(/SUCCESS: \d+ rules found/);
});

function metricsOf(server: ServeProcess): string {
  const url = server.log().find(({ msg }) => msg === "telemetry is on")?.["metrics"];
  return new URL(String(url)).host;
}

/** Asks again and again, each until a figure above zero answers it. The answer is what none ever did. */
async function unanswered(prometheus: Prometheus, questions: readonly Question[], signal: AbortSignal): Promise<readonly Question[]> {
  let open = questions;
  for (let look = 1; look <= LOOKS && open.length > 0 && !signal.aborted; look++) {
    const answers = await Promise.all(open.map(({ query }) => prometheus.ask(query)));
    open = open.filter((_, index) => answers[index]?.some((figure) => figure > 0) !== true);
    await pause(LOOK_MS);
  }
  return open;
}
