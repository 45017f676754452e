/** A real Prometheus with the configuration of ops/, but with targets of the test's own and a second between two scrapes. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const OPS_PROMETHEUS: string = fileURLToPath(new URL("../../ops/prometheus", import.meta.url));

export interface Rule {
  readonly name: string;
  readonly query: string;
  readonly type: "alerting" | "recording";
  /** "ok" when it was evaluated, "err" when that failed, "unknown" before. */
  readonly health: string;
  readonly state?: string;
  readonly lastError?: string;
}

export interface Target {
  readonly health: string;
  readonly lastError: string;
}

export interface Prometheus {
  /** The figures that a query gives now; those that are no number are left out. */
  readonly ask: (query: string) => Promise<readonly number[]>;
  readonly labelValues: (metric: string, label: string) => Promise<readonly string[]>;
  readonly rules: () => Promise<readonly Rule[]>;
  readonly targets: () => Promise<readonly Target[]>;
  readonly stop: () => Promise<void>;
}

const READY_LOOKS = 150;
const LOOK_MS = 200;

/** `targets` are hosts with ports. Errors: plain Error with what it said, when it does not start. */
export async function startPrometheus(program: string, targets: readonly string[]): Promise<Prometheus> {
  const directory = mkdtempSync(join(tmpdir(), "hango-prometheus-"));
  cpSync(OPS_PROMETHEUS, directory, { recursive: true });
  const config = join(directory, "prometheus.yml");
  writeFileSync(config, configurationFor(readFileSync(config, "utf8"), targets));
  const port = await freePort();
  const child = spawn(program, [`--config.file=${config}`, `--storage.tsdb.path=${join(directory, "data")}`, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      said += String(error);
      resolve();
    });
    child.once("close", () => resolve());
  });
  const endGuard = guard(child.pid ?? 0, directory);
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    await endGuard();
  };
  const url = `http://127.0.0.1:${port}`;
  if (!(await isReady(`${url}/-/ready`, ended))) {
    await stop();
    throw new Error(`Prometheus did not start: ${said}`);
  }
  return { ...apiOf(url), stop };
}

/** A test run that is killed can't end its Prometheus, so a shell waits for the end of its own input and does it then. The answer ends it, which removes the directory. */
function guard(pid: number, directory: string): () => Promise<void> {
  const shell = spawn("sh", ["-c", 'cat > /dev/null; [ "$0" = 0 ] || kill -9 "$0"; rm -rf "$1"', String(pid), directory], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => shell.once("close", () => resolve()));
  return () => {
    shell.stdin.end();
    return ended;
  };
}

/** The file as it is, but for who is scraped and how often. Errors: plain Error when it no longer has what is replaced. */
function configurationFor(text: string, targets: readonly string[]): string {
  const often = text.replace("scrape_interval: 15s", "scrape_interval: 1s\n  evaluation_interval: 1s");
  const own = often.replace('["hango:9464"]', JSON.stringify(targets));
  if (often === text || own === often) throw new Error("ops/prometheus/prometheus.yml has another interval or target than this test replaces.");
  return own;
}

function apiOf(url: string): Omit<Prometheus, "stop"> {
  async function get<T>(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<T> {
    const answer = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const body = (await answer.json()) as { readonly data: T; readonly error?: string };
    if (!answer.ok) throw new Error(`Prometheus refuses ${JSON.stringify(parameters)}: ${body.error ?? answer.status}`);
    return body.data;
  }
  return {
    ask: async (query) => {
      const { result } = await get<{ readonly result: readonly { readonly value: readonly [number, string] }[] }>("query", { query });
      return result.map(({ value }) => Number(value[1])).filter((figure) => Number.isFinite(figure));
    },
    labelValues: (metric, label) => get(`label/${label}/values`, { "match[]": metric }),
    rules: async () => (await get<{ readonly groups: readonly { readonly rules: readonly Rule[] }[] }>("rules")).groups.flatMap(({ rules }) => rules),
    targets: async () => (await get<{ readonly activeTargets: readonly Target[] }>("targets")).activeTargets,
  };
}

async function isReady(url: string, ended: Promise<void>): Promise<boolean> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (let look = 1; look <= READY_LOOKS && !isOver; look++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return true;
    await pause(LOOK_MS);
  }
  return false;
}

function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
