/** `/healthz`: the process answers. `/readyz`: so does the database, and nobody has asked the process to end. */

export interface HealthOptions {
  /** Asks the database something small. */
  readonly ping: (signal: AbortSignal) => Promise<unknown>;
  readonly isClosing: () => boolean;
  readonly onFailure: (error: unknown) => void;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

const PING_TIMEOUT_MS = 2_000;
/** However many ask, the database is asked once in this time. */
const FRESH_MS = 1_000;

/** Answers the two addresses, and undefined for any other. */
export type Health = (method: string, path: string) => Promise<Response> | undefined;

export function createHealth({ ping, isClosing, onFailure, timeoutMs = PING_TIMEOUT_MS, now = () => performance.now() }: HealthOptions): Health {
  let asked: { readonly at: number; readonly ready: Promise<boolean> } | undefined;

  function isReady(): Promise<boolean> {
    if (asked === undefined || now() - asked.at > FRESH_MS) asked = { at: now(), ready: look() };
    return asked.ready;
  }

  async function look(): Promise<boolean> {
    const signal = AbortSignal.timeout(timeoutMs);
    const late = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
    try {
      await Promise.race([ping(signal), late]);
      return true;
    } catch (error) {
      onFailure(error);
      return false;
    }
  }

  return (method, path) => {
    if (path !== "/healthz" && path !== "/readyz") return undefined;
    if (method !== "GET" && method !== "HEAD") return Promise.resolve(answer(405, "method not allowed", { allow: "GET, HEAD" }));
    if (path === "/healthz") return Promise.resolve(answer(200, "ok"));
    if (isClosing()) return Promise.resolve(answer(503, "closing"));
    return isReady().then((ready) => (ready ? answer(200, "ready") : answer(503, "the database does not answer")));
  };
}

function answer(status: number, word: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify({ status: word }), { status, headers: { "content-type": "application/json", "cache-control": "no-store", ...headers } });
}
