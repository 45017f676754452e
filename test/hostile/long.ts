/**
 * Hostile calls against each storage, with the times that each call is promised:
 *   npm exec -c "node test/hostile/long.ts --inputs 1000 --seed 1"
 * --storage memory,postgres,pglite; --kib the size of each text; --only the numbers of some inputs, to run them again; --url a Postgres of your own.
 * Ends with 1 when a call broke something, came too late, went over its work limit, or was answered otherwise by another storage.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { freshDatabase } from "../support/fresh-database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { inputAt, shownInput } from "./inputs.ts";
import { type Outcome, perform } from "./perform.ts";
import { watchStalls } from "./stall.ts";
import { databaseSubject, memorySubject, type Subject } from "./subjects.ts";
import { lateMs, printTable } from "./tally.ts";
import { countWork } from "./work.ts";
import { makeWorld, type World } from "./world.ts";

const PATHS = 400;
const PROGRESS_MS = 15_000;
/** The slowest calls and the longest stalls that are shown of each kind. */
const SHOWN = 3;

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    storage: { type: "string", default: "memory,postgres,pglite" },
    kib: { type: "string", default: "1024" },
    only: { type: "string" },
    url: { type: "string" },
  },
});

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function wholeNumber(name: string, given: string): number {
  const value = Number(given);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} ${given}: it must be a whole number`);
  return value;
}

function load(): string {
  return `load ${loadavg()
    .map((value) => value.toFixed(1))
    .join(" ")}`;
}

async function open(name: string, world: World): Promise<Subject> {
  if (name === "memory") return memorySubject(world);
  if (name === "pglite") return databaseSubject("pglite", "pglite:", world);
  if (name !== "postgres") throw new Error(`--storage ${name}: some of memory, postgres, pglite, with commas between`);
  const server = values.url === undefined ? await startPostgres() : undefined;
  const fresh = await freshDatabase(values.url ?? server?.url ?? "");
  const subject = await databaseSubject("postgres", fresh.url, world);
  return {
    ...subject,
    close: async () => {
      await subject.close();
      await fresh.drop();
      await server?.stop();
    },
  };
}

async function runAll(subject: Subject, world: World, numbers: readonly number[]): Promise<readonly Outcome[]> {
  const watch = watchStalls();
  const outcomes: Outcome[] = [];
  let told = performance.now();
  try {
    for (const number of numbers) {
      outcomes.push(await perform(subject.storage, world, { number, input: inputAt(world, number), watch }));
      if (performance.now() - told < PROGRESS_MS) continue;
      told = performance.now();
      say(`  ${subject.name}: ${outcomes.length} of ${numbers.length}, ${load()}`);
    }
  } finally {
    watch.stop();
  }
  return outcomes;
}

async function runAndClose(subject: Subject, world: World, numbers: readonly number[]): Promise<readonly Outcome[]> {
  try {
    return await runAll(subject, world, numbers);
  } finally {
    await subject.close();
  }
}

/** Steps, counted once for all storages: they are the same wherever our own code does the work. */
function workFaults(world: World, numbers: readonly number[]): readonly string[] {
  let most = 0;
  let longest = 0;
  const faults: string[] = [];
  for (const number of numbers) {
    const { units, longestSlice, broken } = countWork(world, inputAt(world, number));
    most = Math.max(most, units);
    longest = Math.max(longest, longestSlice);
    faults.push(...broken.map((sentence) => `input ${number}: ${sentence}`));
  }
  say(`work: at most ${Math.round(most)} units a call, at most ${Math.round(longest)} between two pauses, ${faults.length} over a limit`);
  return faults;
}

function describe(outcome: Outcome, world: World): string {
  const { number, kind, ended, ms, stall } = outcome;
  return `input ${number} (${kind}, ${ended}, ${Math.round(ms)} ms, stall ${Math.round(stall.ms)} ms with ${Math.round(stall.cpuMs)} of CPU): ${shownInput(inputAt(world, number))}`;
}

function top(outcomes: readonly Outcome[], by: (outcome: Outcome) => number): readonly Outcome[] {
  return [...outcomes].sort((a, b) => by(b) - by(a)).slice(0, SHOWN);
}

/** A timeout is no answer, so it contradicts none. */
function differences(first: readonly Outcome[], other: readonly Outcome[]): readonly Outcome[] {
  return other.filter((outcome, index) => {
    const one = first[index];
    return one !== undefined && one.ended !== "timeout" && outcome.ended !== "timeout" && one.digest !== outcome.digest;
  });
}

async function main(): Promise<void> {
  const seed = wholeNumber("seed", values.seed);
  const world = makeWorld({ seed, textBytes: wholeNumber("kib", values.kib) * 1024, paths: PATHS });
  const numbers =
    values.only === undefined
      ? Array.from({ length: wholeNumber("inputs", values.inputs) }, (_, index) => index)
      : values.only.split(",").map((number) => wholeNumber("only", number));
  const faults: string[] = [...workFaults(world, numbers)];
  let first: readonly Outcome[] | undefined;
  for (const name of values.storage.split(",")) {
    const before = load();
    const subject = await open(name, world);
    const outcomes = await runAndClose(subject, world, numbers);
    say(`\n${printTable(`${name}, seed ${seed}`, outcomes)}${before} before, ${load()} after`);
    for (const kind of ["grep", "glob", "edit"]) {
      const own = outcomes.filter((outcome) => outcome.kind === kind);
      for (const outcome of top(own, ({ ms }) => ms)) say(`slow: ${describe(outcome, world)}`);
      for (const outcome of top(own, ({ stall }) => stall.cpuMs || stall.ms)) say(`stalled: ${describe(outcome, world)}`);
    }
    for (const outcome of outcomes) {
      if (outcome.broken !== undefined) faults.push(`${name} broke: ${outcome.broken} ${describe(outcome, world)}`);
      if (name !== "memory" && lateMs(outcome) > 0) faults.push(`${name} came ${Math.round(lateMs(outcome))} ms too late: ${describe(outcome, world)}`);
    }
    for (const outcome of differences(first ?? [], outcomes)) faults.push(`${name} answered otherwise than the first storage: ${describe(outcome, world)}`);
    first ??= outcomes;
  }
  say(`\n${faults.length} faults`);
  for (const fault of faults) say(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

await main();
