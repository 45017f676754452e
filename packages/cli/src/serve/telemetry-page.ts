/** `/metrics`, on a listener of its own: its figures name tenants, so it is never on the port that tenants reach. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { HangoError } from "hango";

export interface MetricsPage {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Whoever reads it reads small pages, one at a time. */
const MAX_CONNECTIONS = 20;
const TIMEOUT_MS = 10_000;

/** Errors: unavailable when the port is taken or may not be used. */
export async function openMetricsPage(
  { host, port }: { readonly host: string; readonly port: number },
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<MetricsPage> {
  const server = createServer({ headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS }, (request, response) => {
    if (request.method === "GET" && request.url?.split("?", 1)[0] === "/metrics") return answer(request, response);
    response.writeHead(404, { "content-type": "text/plain" }).end("There is only GET /metrics here.\n");
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new HangoError("unavailable", `The metrics page can't listen on ${host}, port ${port}. Choose another with HANGO_METRICS_PORT or HANGO_METRICS_HOST.`, {
          cause,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const { address, family, port: opened } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${opened}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
