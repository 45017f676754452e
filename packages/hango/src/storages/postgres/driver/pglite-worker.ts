/** PGlite's own thread: it blocks while a statement runs and knows no timeout, so the main thread ends it when it must. */
import { parentPort, workerData } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import type { Row, Statement } from "./driver.ts";
import { type ForeignError, OPENED, transferables, type WorkerAnswer, type WorkerRequest, type WorkerSetup } from "./pglite-protocol.ts";
import { createPgliteStatements, isDamage, isStale, type PgliteStatements } from "./pglite-statements.ts";
import { unpackSeed } from "./unpack-seed.ts";
import { parsers, serializers } from "./values.ts";

const setup = workerData as WorkerSetup;
const port = parentPort;

function answer(message: WorkerAnswer): void {
  port?.postMessage(message, message.ok ? transferables(message.rows) : []);
}

/**
 * PGlite decodes each value with a default TextDecoder, which drops a byte order mark at its start: a file would come
 * back three bytes shorter than it was stored. In this thread every decoder keeps it.
 */
function keepByteOrderMarks(): void {
  globalThis.TextDecoder = new Proxy(TextDecoder, {
    construct: (decoder, [label, options]: ConstructorParameters<typeof TextDecoder>) => new decoder(label, { ignoreBOM: true, ...options }),
  });
}

interface Engine {
  readonly db: PGlite;
  readonly statements: PgliteStatements;
}

async function open(): Promise<Engine> {
  keepByteOrderMarks();
  const { PGlite: engine, protocol } = await import("@electric-sql/pglite");
  if (setup.seedFile !== undefined) await unpackSeed(setup.seedFile, setup.directory);
  const compiled = setup.module === undefined ? {} : { pgliteWasmModule: setup.module };
  const db = await engine.create({ dataDir: setup.directory, parsers: { ...parsers }, serializers: { ...serializers }, ...compiled });
  return { db, statements: createPgliteStatements(db, protocol.serialize) };
}

type Run = Extract<WorkerRequest, { kind: "run" }>;

const plain = (text: string): Statement => ({ text, values: [] });

/** Whatever fails leaves nothing behind, so that it can be run again. */
async function runOnce({ db, statements }: Engine, { statements: given, settings }: Run): Promise<readonly (readonly Row[])[]> {
  if (given.length === 1 && settings.length === 0) return rowsOf(await statements.run(given));
  const set = settings.map(([name, value]) => ({ text: "select set_config($1, $2, true)", values: [name, value] }));
  try {
    const answers = await statements.run([plain("begin"), ...set, ...given, plain("commit")]);
    const command = answers.at(-1)?.command;
    if (command !== "COMMIT") throw new Error(`COMMIT answered ${command ?? "nothing"}`);
    return rowsOf(answers.slice(1 + set.length, -1));
  } catch (error) {
    await db.exec("rollback");
    throw error;
  }
}

const rowsOf = (answers: readonly { readonly rows: readonly Row[] }[]): readonly (readonly Row[])[] => answers.map(({ rows }) => rows);

async function run(engine: Engine, request: Run): Promise<readonly (readonly Row[])[]> {
  try {
    return await runOnce(engine, request);
  } catch (error) {
    if (!isStale(error)) throw error;
    return runOnce(engine, request);
  }
}

async function handle(engine: Engine, request: WorkerRequest): Promise<WorkerAnswer> {
  const done = (rows: readonly (readonly Row[])[], affected = 0): WorkerAnswer => ({ id: request.id, ok: true, rows, affected });
  switch (request.kind) {
    case "close":
      await engine.db.close();
      return done([]);
    case "query": {
      const result = await engine.db.query<Row>(request.text, [...request.values]);
      return done([result.rows], result.affectedRows ?? 0);
    }
    case "step":
      return done(rowsOf(await engine.statements.run(request.statements)));
    case "run":
      return done(await run(engine, request));
  }
}

function refusal(id: number, error: unknown): WorkerAnswer {
  const { message, code, constraint } = error as { message?: string; code?: string; constraint?: string };
  const foreign: ForeignError = {
    message: message ?? String(error),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
  };
  return { id, ok: false, error: foreign, broken: isDamage(error) };
}

open().then(
  (engine) => {
    // The engine mixes up the answers of two calls at once.
    let last: Promise<void> = Promise.resolve();
    port?.on("message", (request: WorkerRequest) => {
      last = last
        .then(() => handle(engine, request))
        .then(answer)
        .catch((error: unknown) => answer(refusal(request.id, error)));
    });
    answer({ id: OPENED, ok: true, rows: [], affected: 0 });
  },
  (error: unknown) => answer(refusal(OPENED, error)),
);
