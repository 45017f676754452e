/** The dashboard and the rules ask only for series and labels that exist. */
import { readFileSync } from "node:fs";
import { telemetryMetrics } from "hango/telemetry";
import { expect, it } from "vitest";

const ops = new URL("../../ops/", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ops), "utf8");

/** What the Prometheus exporter makes of a name. */
const seriesOf = ({ name, kind }: { readonly name: string; readonly kind: string }): readonly string[] => {
  const plain = name.replaceAll(".", "_");
  return kind === "counter" ? [`${plain}_total`] : [`${plain}_bucket`, `${plain}_sum`, `${plain}_count`];
};
const known = new Set([
  ...Object.values(telemetryMetrics).flatMap(seriesOf),
  "hango_fs_file_count",
  "db_client_connection_count",
  "db_client_connection_max",
  "db_client_connection_pending_requests",
]);
const labels = new Set(["op", "error_type", "le", "tenant_id", "gen_ai_tool_name", "hango_tokens_view", "db_client_connection_state"]);

const dashboard = JSON.parse(read("grafana/dashboards/hango.json")) as {
  readonly panels: readonly {
    readonly title: string;
    readonly datasource: { readonly type: string };
    readonly targets: readonly { readonly expr?: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly query: { readonly query?: string } | string }[] };
};
const queries = [
  ...dashboard.panels.filter(({ datasource }) => datasource.type === "prometheus").flatMap(({ targets }) => targets.map(({ expr }) => expr ?? "")),
  ...dashboard.templating.list.flatMap(({ query }) => (typeof query === "string" ? [] : [query.query ?? ""])),
  ...[...read("prometheus/hango.rules.yml").matchAll(/^\s+expr: (.+)$/gm)].map(([, expr = ""]) => expr),
];

it("every query names series that the instruments make, and labels that they carry", () => {
  expect(queries.length).toBeGreaterThan(20);
  for (const query of queries) {
    const series = [...query.matchAll(/\b(?:hango|db_client)_[a-z_]+\b/g)].map(([name]) => name).filter((name) => !labels.has(name));
    if (!query.startsWith("up{")) expect([query, series.length > 0]).toEqual([query, true]);
    expect(series.filter((name) => !known.has(name))).toEqual([]);
    const named = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/, ?/));
    const matched = [...query.matchAll(/(?<!up)\{([^}]*)\}/g)].flatMap(([, list = ""]) => [...list.matchAll(/(\w+)[=!]/g)].map(([, name = ""]) => name));
    expect([...named, ...matched].filter((name) => !labels.has(name))).toEqual([]);
  }
});

it("every metric of an observed session is on the dashboard", () => {
  const shown = queries.join("\n");
  expect(Object.values(telemetryMetrics).filter((metric) => !seriesOf(metric).some((name) => shown.includes(name)))).toEqual([]);
});
