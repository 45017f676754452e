/** Where a real Prometheus is: HANGO_PROMETHEUS, what tools/prometheus/install.sh fetched, or PATH. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface PrometheusPrograms {
  readonly prometheus: string;
  /** Its checker of rules, which comes with it; undefined where it does not lie beside it. */
  readonly promtool: string | undefined;
}

export const NO_PROMETHEUS =
  "there is no prometheus in PATH or tools/prometheus/cache: run tools/prometheus/install.sh, or set HANGO_PROMETHEUS to the program";

const CACHE = fileURLToPath(new URL("../../tools/prometheus/cache", import.meta.url));

/** Undefined when there is none. Errors: plain Error when HANGO_PROMETHEUS names what can't be run, so that whoever sets it never gets a skipped test. */
export function findPrometheus(environment: Readonly<Record<string, string | undefined>> = process.env): PrometheusPrograms | undefined {
  const named = environment["HANGO_PROMETHEUS"] ?? "";
  if (named !== "" && !isProgram(named)) throw new Error(`HANGO_PROMETHEUS is ${named}, which is no program.`);
  const directories = [CACHE, ...(environment["PATH"] ?? "").split(delimiter).filter((directory) => directory !== "")];
  const prometheus = named === "" ? directories.map((directory) => join(directory, "prometheus")).find(isProgram) : named;
  if (prometheus === undefined) return undefined;
  const promtool = join(dirname(prometheus), "promtool");
  return { prometheus, promtool: isProgram(promtool) ? promtool : undefined };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
