/** A real Postgres for tests: its own data directory, a TCP port on loopback, started in well under a second, gone without a trace. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type PostgresBinaries, postgresBinaries } from "./postgres-binaries.ts";

const START_ATTEMPTS = 20;
const START_PAUSE_MS = 150;

export interface PostgresServer {
  /** A superuser's URL of the database "postgres". */
  readonly url: string;
  readonly connection: { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
  /** Ends the server and removes its data. */
  readonly stop: () => Promise<void>;
  /** kill -9 of the postmaster; the data stays for `restart`. */
  readonly kill: () => Promise<void>;
  /** Starts again on the same data and the same port. */
  readonly restart: () => Promise<void>;
}

export type ServerSettings = Readonly<Record<string, string>>;

/** Starts a server of the caller's own; most tests share the one of global-postgres.ts instead. Without `fsync: "on"` among its settings it never waits for the disk. */
export async function startPostgres(settings: ServerSettings = {}): Promise<PostgresServer> {
  const binaries = postgresBinaries();
  const directory = mkdtempSync(join(tmpdir(), "hango-pg-"));
  const data = join(directory, "d");
  execFileSync("cp", ["-R", binaries.template, data]);
  if (binaries.owner.uid !== undefined) execFileSync("chown", ["-R", `${binaries.owner.uid}:${binaries.owner.gid}`, directory]);
  const port = await freePort();
  const start = (): Promise<ChildProcess> => launch(binaries, { data, port, settings });
  let server = await start();
  const removeAtExit = (): void => {
    server.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", removeAtExit);
  const connection = { host: "127.0.0.1", port, user: "postgres", database: "postgres" };
  return {
    url: `postgres://${connection.user}@${connection.host}:${port}/${connection.database}`,
    connection,
    kill: () => end(server, "SIGKILL"),
    restart: async () => {
      await end(server, "SIGKILL");
      server = await start();
    },
    stop: async () => {
      await end(server, "SIGINT");
      process.removeListener("exit", removeAtExit);
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Place {
  readonly data: string;
  readonly port: number;
  readonly settings: ServerSettings;
}

/** After a kill -9 the old backends may hold the shared memory for a moment, so a start is tried again. */
async function launch(binaries: PostgresBinaries, place: Place): Promise<ChildProcess> {
  let output = "";
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
    const result = await launchOnce(binaries, place);
    if (typeof result !== "string") return result;
    output = result;
    await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS));
  }
  throw new Error(`Postgres did not start after ${START_ATTEMPTS} attempts: ${output}`);
}

/** Answers the running process, or what a failed start printed. */
function launchOnce(binaries: PostgresBinaries, { data, port, settings }: Place): Promise<ChildProcess | string> {
  const all = { listen_addresses: "127.0.0.1", port: String(port), fsync: "off", max_connections: "300", max_locks_per_transaction: "128", ...settings };
  const server = spawn(binaries.postgres, ["-D", data, "-k", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])], {
    stdio: ["ignore", "ignore", "pipe"],
    env: binaries.environment,
    cwd: "/",
    ...binaries.owner,
  });
  let output = "";
  let ready = false;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => resolve(output));
    server.stderr?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
      if (!ready && output.includes("ready to accept connections")) {
        ready = true;
        server.unref();
        endWithThisProcess(server, data);
        resolve(server);
      }
    });
  });
}

/** A test run that is killed can't stop its server, so a shell waits for the end of its own input and does it then. */
function endWithThisProcess(server: ChildProcess, data: string): void {
  const script = 'cat > /dev/null; kill -INT "$0"; sleep 2; rm -rf "$1"';
  const guard = spawn("sh", ["-c", script, String(server.pid), dirname(data)], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  guard.unref();
  (guard.stdin as unknown as { readonly unref: () => void }).unref();
  const group = guard.pid;
  if (group !== undefined) server.once("exit", () => process.kill(-group, "SIGKILL"));
}

function end(server: ChildProcess, signal: "SIGINT" | "SIGKILL"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once("exit", () => resolve());
    server.ref();
    server.kill(signal);
  });
}

function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port"))));
    });
  });
}
