/** The main thread's hold on one PGlite worker: start it, ask it, end it. */
import { Worker } from "node:worker_threads";
import { HangoError } from "../../../errors.ts";
import { OPENED, type WorkerAnswer, type WorkerRequest, type WorkerSetup } from "./pglite-protocol.ts";

export type OkAnswer = Extract<WorkerAnswer, { ok: true }>;
export type RequestBody = WorkerRequest extends infer R ? (R extends WorkerRequest ? Omit<R, "id"> : never) : never;

export interface PgliteThread {
  /** Errors: the engine's own, with its SQLSTATE in `code`; unavailable when the thread ends first. */
  readonly ask: (body: RequestBody, transfer?: readonly ArrayBuffer[]) => Promise<OkAnswer>;
  /** True once the thread is gone, or must not be asked again. */
  readonly broken: () => boolean;
  /** Ends it at once. Whatever is in flight answers unavailable. */
  readonly end: () => Promise<void>;
}

interface Pending {
  readonly resolve: (answer: OkAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** The file that runs beside this one, in the sources and in the built package alike. */
const WORKER_FILE = new URL(import.meta.url.endsWith(".ts") ? "./pglite-worker.ts" : "./pglite-worker.mjs", import.meta.url);

/** A thread with nothing to do does not keep the process alive. */
export function startPgliteThread(setup: WorkerSetup): { readonly thread: PgliteThread; readonly opened: Promise<void> } {
  const worker = new Worker(WORKER_FILE, { workerData: setup, execArgv: [] });
  const pending = new Map<number, Pending>();
  let nextId = OPENED;
  let broken = false;
  let ending = false;

  function expect(): { readonly id: number; readonly answer: Promise<OkAnswer> } {
    const id = nextId++;
    worker.ref();
    return { id, answer: new Promise((resolve, reject) => pending.set(id, { resolve, reject })) };
  }

  function failAll(cause: unknown): void {
    broken = true;
    for (const { reject } of pending.values())
      reject(
        new HangoError("unavailable", "The database's thread ended while the call was in flight, so its outcome is unknown. Re-read before you retry.", {
          cause,
        }),
      );
    pending.clear();
  }

  worker.on("message", (answer: WorkerAnswer) => {
    const waiting = pending.get(answer.id);
    pending.delete(answer.id);
    // A late answer must not let the process go while somebody waits for the thread's end.
    if (pending.size === 0 && !ending) worker.unref();
    if (answer.ok) return waiting?.resolve(answer);
    broken ||= answer.broken;
    const { message, ...fields } = answer.error;
    return waiting?.reject(Object.assign(new Error(message), fields));
  });
  worker.on("error", failAll);
  worker.on("exit", (code) => failAll(new Error(`PGlite's thread ended with code ${code}`)));

  const { answer: opened } = expect();
  return {
    opened: opened.then(() => undefined),
    thread: {
      ask: (body, transfer = []) => {
        if (broken) return Promise.reject(new HangoError("unavailable", "The database's thread has ended; retry."));
        const { id, answer } = expect();
        worker.postMessage({ ...body, id }, transfer);
        return answer;
      },
      broken: () => broken,
      end: async () => {
        broken = ending = true;
        worker.ref();
        await worker.terminate();
      },
    },
  };
}
