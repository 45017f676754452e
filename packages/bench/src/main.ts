/** `npm run bench -- core`: what each operation costs beside the bare statements that do the same. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { EngineName, Fsync } from "./core/engine.ts";
import { tableOf } from "./core/report.ts";
import { runCore } from "./core/run.ts";

const USAGE = `npm run bench -- core [--files 200,5000,50000] [--rounds 200] [--engines postgres,pglite] [--fsync on|off] [--only NAME,…] [--json FILE]

  --files    how many files the namespace holds; one run for each
  --rounds   rounds of a point operation, a tenth of it for scans; each round takes two samples of every variant
  --engines  postgres (a server of its own), pglite, or both
  --fsync    off: commits of Postgres don't wait for the disk, so that the cost of the rest is seen
  --only     only operations whose name starts with one of these; delete needs create
  --json     also writes everything to a file
`;

const ENGINES: readonly EngineName[] = ["postgres", "pglite"];

function refuse(message: string): never {
  process.stderr.write(`bench: ${message}\n\n${USAGE}`);
  process.exit(2);
}

function wholeOf(text: string, what: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) refuse(`${what} must be a whole number of at least 1, not ${JSON.stringify(text)}.`);
  return value;
}

/** The rare needle stands in three files, and one directory of 20 is listed by name. */
const LEAST_FILES = 100;

function sizeOf(text: string): number {
  const value = wholeOf(text, "--files");
  if (value < LEAST_FILES) refuse(`--files must be at least ${LEAST_FILES}, not ${value}.`);
  return value;
}

function engineOf(text: string): EngineName {
  return ENGINES.find((name) => name === text) ?? refuse(`--engines takes ${ENGINES.join(" and ")}, not ${JSON.stringify(text)}.`);
}

function fsyncOf(text: string): Fsync {
  return text === "on" || text === "off" ? text : refuse(`--fsync is on or off, not ${JSON.stringify(text)}.`);
}

async function main(): Promise<void> {
  const options = {
    files: { type: "string", default: "200,5000,50000" },
    rounds: { type: "string", default: "200" },
    engines: { type: "string", default: ENGINES.join() },
    fsync: { type: "string", default: "on" },
    only: { type: "string", default: "" },
    json: { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (positionals.join(" ") !== "core") refuse('say what to run: "core".');
  const report = await runCore({
    engines: values.engines.split(",").map(engineOf),
    sizes: values.files.split(",").map(sizeOf),
    rounds: wholeOf(values.rounds, "--rounds"),
    fsync: fsyncOf(values.fsync),
    only: values.only.split(","),
    command: `npm run bench -- ${process.argv.slice(2).join(" ")}`,
    tell: (line) => void process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${tableOf(report.figures)}\n`);
  for (const { engine, files, operation } of report.timeouts) process.stdout.write(`${engine}, ${files} files, ${operation}: hango answered timeout.\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
}

await main();
