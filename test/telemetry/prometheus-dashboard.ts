/** The dashboard's questions to Prometheus, with its variables put in as Grafana does. */
import { readFileSync } from "node:fs";

export interface Question {
  /** The panel, the rule or the variable that asks. */
  readonly from: string;
  readonly query: string;
}

export interface Variable {
  readonly name: string;
  readonly metric: string;
  readonly label: string;
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly datasource: { readonly type: string };
    readonly targets: readonly { readonly expr?: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string; readonly query: { readonly query: string } | string }[] };
}

const dashboard = JSON.parse(readFileSync(new URL("../../ops/grafana/dashboards/hango.json", import.meta.url), "utf8")) as Dashboard;

/** Four scrapes of ops/prometheus/prometheus.yml, which is what Grafana takes. */
const RATE_INTERVAL = "1m";

/** Those that Prometheus is asked for. Errors: plain Error for a query of another form than label_values. */
export function dashboardVariables(): readonly Variable[] {
  return dashboard.templating.list
    .filter(({ type }) => type === "query")
    .map(({ name, query }) => {
      const asked = typeof query === "string" ? query : query.query;
      const [, metric, label] = /^label_values\((\w+), (\w+)\)$/.exec(asked) ?? [];
      if (metric === undefined || label === undefined) throw new Error(`The variable ${name} asks what this test can't: ${asked}`);
      return { name, metric, label };
    });
}

/** Each panel's queries: with "All" chosen, and with every value of each variable chosen. A fallback of zero must not stand in for a series, so it is taken away once. */
export function dashboardQuestions(values: ReadonlyMap<string, readonly string[]>): readonly Question[] {
  const all = new Map([...values.keys()].map((name) => [name, ".*"]));
  const each = new Map([...values].map(([name, list]) => [name, `(${list.join("|")})`]));
  return dashboard.panels
    .filter(({ datasource }) => datasource.type === "prometheus")
    .flatMap(({ title, targets }) =>
      targets.flatMap(({ expr = "" }) =>
        [...new Set([filled(expr, all), filled(expr, each), filled(expr.replaceAll(" or vector(0)", ""), all)])].map((query) => ({ from: title, query })),
      ),
    );
}

/** Errors: plain Error for a variable that is not there. */
function filled(expr: string, values: ReadonlyMap<string, string>): string {
  const query = [...values].reduce((text, [name, value]) => text.replaceAll(`$${name}`, () => value), expr.replaceAll("$__rate_interval", RATE_INTERVAL));
  if (query.includes("$")) throw new Error(`The dashboard asks with a variable that it does not have: ${query}`);
  return query;
}
