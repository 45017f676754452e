/** A collector as small as can be: OTLP over HTTP with JSON, kept in memory. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import type { TreeSpan } from "./tree.ts";

export interface ReceivedSpan extends TreeSpan {
  readonly traceId: string;
  readonly events?: readonly { readonly name: string }[];
  readonly attributes: ReadonlyMap<string, unknown>;
}

export interface ReceivedLog {
  readonly eventName?: string;
  readonly traceId?: string;
  readonly attributes: ReadonlyMap<string, unknown>;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: () => readonly ReceivedSpan[];
  readonly logs: () => readonly ReceivedLog[];
  readonly metricNames: () => ReadonlySet<string>;
  /** Every body that came, as it came. */
  readonly raw: () => string;
  readonly close: () => Promise<void>;
}

interface Scoped {
  readonly [list: string]: unknown;
}
type Wire = { readonly attributes?: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[] } & Readonly<
  Record<string, unknown>
>;

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies = new Map<string, string[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
      bodies.set(request.url ?? "", [...(bodies.get(request.url ?? "") ?? []), text]);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  /** What lies two lists deep: resourceSpans, scopeSpans, spans. */
  const all = (path: string, [outer, middle, inner]: readonly [string, string, string]): readonly Wire[] =>
    (bodies.get(path) ?? []).flatMap((text) =>
      ((JSON.parse(text) as Scoped)[outer] as readonly Scoped[]).flatMap((resource) =>
        (resource[middle] as readonly Scoped[]).flatMap((scope) => scope[inner] as readonly Wire[]),
      ),
    );
  const attributesOf = ({ attributes = [] }: Wire): ReadonlyMap<string, unknown> => new Map(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      all("/v1/traces", ["resourceSpans", "scopeSpans", "spans"]).map((span) => ({ ...span, attributes: attributesOf(span) }) as unknown as ReceivedSpan),
    logs: () =>
      all("/v1/logs", ["resourceLogs", "scopeLogs", "logRecords"]).map((log) => ({ ...log, attributes: attributesOf(log) }) as unknown as ReceivedLog),
    metricNames: () => new Set(all("/v1/metrics", ["resourceMetrics", "scopeMetrics", "metrics"]).map(({ name }) => String(name))),
    raw: () => [...bodies.values()].flat().join("\n"),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
