/** What the signals are called. The gen_ai names are OpenTelemetry's, whose own package marks them as in development, so they are copied. */

export const attribute = {
  path: "hango.fs.path",
  bytes: "hango.fs.bytes",
  bytesDelta: "hango.fs.bytes_delta",
  matches: "hango.fs.matches",
  op: "op",
  recursive: "hango.fs.recursive",
  rule: "hango.fs.rule",
  agentId: "hango.agent.id",
  tenantId: "hango.tenant.id",
  sessionId: "hango.session.id",
  actor: "hango.actor",
  principal: "hango.principal",
  tokensBefore: "hango.tokens.before",
  tokensAfter: "hango.tokens.after",
  saved: "hango.offload.saved",
  view: "hango.tokens.view",
  errorType: "error.type",
  genAiOperation: "gen_ai.operation.name",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCallId: "gen_ai.tool.call.id",
} as const;

export type Op = "ls" | "stat" | "read" | "write" | "edit" | "glob" | "grep" | "delete" | "search";

/** The name of the event, and of the log record, of a result that went to a file. */
export const OFFLOADED = "tool.result_offloaded";
/** The name of the log record of a write, edit or delete. */
export const CHANGED = "hango.fs.changed";

export interface MetricRow {
  readonly name: string;
  readonly kind: "counter" | "histogram";
  /** As UCUM writes it. */
  readonly unit: string;
  readonly description: string;
  /** Of a histogram: the upper bounds of its buckets. Without them a duration in seconds would be told apart from 5 s upwards. */
  readonly buckets?: readonly number[];
}

export type MetricKey = "operations" | "bytesWritten" | "duration" | "conflicts" | "offloads" | "resultTokens";

/** Every instrument that an observed session feeds. */
export const metricTable: Readonly<Record<MetricKey, MetricRow>> = {
  operations: { name: "hango.fs.operations", kind: "counter", unit: "{operation}", description: "File operations, by op and error.type." },
  bytesWritten: { name: "hango.fs.bytes_written", kind: "counter", unit: "By", description: "Bytes that writes and edits stored." },
  duration: {
    name: "hango.fs.duration",
    kind: "histogram",
    unit: "s",
    description: "How long a file operation took, by op.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  conflicts: { name: "hango.fs.conflicts", kind: "counter", unit: "{conflict}", description: "Changes refused because the file had changed, by op." },
  offloads: { name: "hango.tool.result_offloads", kind: "counter", unit: "{result}", description: "Tool results that were too large for the context." },
  resultTokens: {
    name: "hango.tool.result_tokens",
    kind: "histogram",
    unit: "{token}",
    description: "Tokens of an offloaded result, before and after.",
    buckets: [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000],
  },
};
