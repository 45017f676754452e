/** PGlite's own thread: it blocks while a statement runs and knows no timeout, so the main thread ends it when it must. */
import { parentPort, workerData } from "node:worker_threads";
import type { PGlite, Results } from "@electric-sql/pglite";
import type { Row, Statement } from "./driver.ts";
import { type ForeignError, OPENED, transferables, type WorkerAnswer, type WorkerRequest, type WorkerSetup } from "./pglite-protocol.ts";
import { unpackSeed } from "./unpack-seed.ts";
import { parsers, serializers } from "./values.ts";

/** "cannot drop active portal": what comes instead of the real error when the engine failed half way, as on a full disk. */
const LOST_ERROR = "24000";

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

async function open(): Promise<PGlite> {
  keepByteOrderMarks();
  const { PGlite: engine } = await import("@electric-sql/pglite");
  if (setup.seedFile !== undefined) await unpackSeed(setup.seedFile, setup.directory);
  const compiled = setup.module === undefined ? {} : { pgliteWasmModule: setup.module };
  return engine.create({ dataDir: setup.directory, parsers: { ...parsers }, serializers: { ...serializers }, ...compiled });
}

/** What a COPY takes in stands in a device of the engine's own, since nothing can follow a statement. */
async function runStatement(db: PGlite, { text, values, copy }: Statement): Promise<Results<Row>> {
  if (copy === undefined) return db.query<Row>(text, [...values]);
  return db.query<Row>(text.replace(" from stdin", " from '/dev/blob'"), [], { blob: new Blob([copy as Uint8Array<ArrayBuffer>]) });
}

/** BEGIN … COMMIT; whatever fails leaves nothing behind. */
async function runTransaction(db: PGlite, statements: readonly Statement[], settings: readonly (readonly [string, string])[]): Promise<(readonly Row[])[]> {
  await db.exec("begin");
  try {
    for (const [name, value] of settings) await db.query("select set_config($1, $2, true)", [name, value]);
    const rows: (readonly Row[])[] = [];
    for (const statement of statements) rows.push((await runStatement(db, statement)).rows);
    const [commit] = await db.exec("commit");
    if (commit?.command !== undefined && commit.command !== "COMMIT") throw new Error(`COMMIT answered ${commit.command}`);
    return rows;
  } catch (error) {
    await db.exec("rollback");
    throw error;
  }
}

async function handle(db: PGlite, request: WorkerRequest): Promise<WorkerAnswer> {
  const done = (rows: readonly (readonly Row[])[], affected = 0): WorkerAnswer => ({ id: request.id, ok: true, rows, affected });
  switch (request.kind) {
    case "close":
      await db.close();
      return done([]);
    case "query": {
      const result = await runStatement(db, request);
      return done([result.rows], result.affectedRows ?? 0);
    }
    case "step": {
      const rows: (readonly Row[])[] = [];
      for (const statement of request.statements) rows.push((await runStatement(db, statement)).rows);
      return done(rows);
    }
    case "run": {
      const [only] = request.statements;
      if (request.statements.length === 1 && only !== undefined && request.settings.length === 0) return done([(await runStatement(db, only)).rows]);
      return done(await runTransaction(db, request.statements, request.settings));
    }
  }
}

/** An error without a SQLSTATE, or one that ends a server process, may leave the engine damaged. */
function refusal(id: number, error: unknown): WorkerAnswer {
  const { message, code, constraint, severity } = error as { message?: string; code?: string; constraint?: string; severity?: string };
  const foreign: ForeignError = {
    message: message ?? String(error),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
  };
  return { id, ok: false, error: foreign, broken: severity !== "ERROR" || code === LOST_ERROR };
}

open().then(
  (db) => {
    port?.on("message", (request: WorkerRequest) => {
      handle(db, request).then(answer, (error: unknown) => answer(refusal(request.id, error)));
    });
    answer({ id: OPENED, ok: true, rows: [], affected: 0 });
  },
  (error: unknown) => answer(refusal(OPENED, error)),
);
