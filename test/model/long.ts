/**
 * The model against one storage for as long as one likes:
 *   npm exec -c "node test/model/long.ts --storage postgres --operations 1000000 --seed 1"
 * --storage memory | "memory without accelerators" | pglite | postgres; --url a server of your own; --sequences how many run side by side;
 * --seed with --path runs a failure that was printed again.
 */
import { parseArgs } from "node:util";
import { freshDatabase } from "../support/fresh-database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { checkSubject } from "./check.ts";
import { databaseSubject, memorySubject, memoryWithoutAccelerators } from "./subjects.ts";
import type { Subject } from "./world.ts";

const PROGRESS_MS = 5_000;
/** Operations of one seed; the next batch takes the next seed, so that a failure is near the start of its own. */
const BATCH_OPERATIONS = 10_000;

interface Opened {
  readonly subject: Subject;
  readonly close: () => Promise<void>;
}

async function open(storage: string, url: string | undefined): Promise<Opened> {
  if (storage === "memory" || storage === "memory without accelerators") {
    const subject = storage === "memory" ? memorySubject() : memoryWithoutAccelerators();
    return { subject, close: subject.close };
  }
  if (storage === "pglite") {
    const subject = await databaseSubject("pglite", "pglite:");
    return { subject, close: subject.close };
  }
  if (storage !== "postgres") throw new Error(`--storage ${storage}: one of memory, "memory without accelerators", pglite, postgres`);
  const server = url === undefined ? await startPostgres() : undefined;
  const fresh = await freshDatabase(url ?? server?.url ?? "");
  const subject = await databaseSubject("postgres", fresh.url);
  return {
    subject,
    close: async () => {
      await subject.close();
      await fresh.drop();
      await server?.stop();
    },
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function wholeNumber(name: string, given: string): number {
  const value = Number(given);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} ${given}: a whole number of at least 1`);
  return value;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      storage: { type: "string", default: "memory" },
      operations: { type: "string", default: "100000" },
      seed: { type: "string", default: "1" },
      sequences: { type: "string", default: "" },
      path: { type: "string" },
      url: { type: "string" },
    },
  });
  const { storage, path } = values;
  const operations = wholeNumber("operations", values.operations);
  const seed = Number(values.seed);
  const sideBySide = values.sequences === "" ? (storage === "postgres" ? 8 : 1) : wholeNumber("sequences", values.sequences);
  const { subject, close } = await open(storage, values.url);
  const start = Date.now();
  let done = 0;
  let told = start;
  const onSequence = (count: number): void => {
    done += count;
    const now = Date.now();
    if (now - told < PROGRESS_MS) return;
    told = now;
    const rate = done / ((now - start) / 1_000);
    say(`${done} operations, ${Math.round(rate)}/s, about ${Math.max(0, Math.round((operations - done) / rate))} s left`);
  };
  let divergences = 0;
  let next = seed;
  const worker = async (): Promise<void> => {
    while (done < operations && divergences === 0) {
      const batch = next++;
      try {
        await checkSubject(subject, { seed: batch, operations: Math.min(BATCH_OPERATIONS, Math.ceil(operations / sideBySide)), onSequence });
      } catch (error) {
        divergences += 1;
        say(error instanceof Error ? error.message : String(error));
      }
    }
  };
  try {
    if (path === undefined) await Promise.all(Array.from({ length: sideBySide }, worker));
    else await checkSubject(subject, { seed, operations, path, onSequence });
  } finally {
    await close();
  }
  const seconds = (Date.now() - start) / 1_000;
  say(
    `${subject.name}: ${done} operations, ${divergences} divergences, seeds ${seed} to ${next - 1}, ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} operations/s`,
  );
  if (divergences > 0) process.exitCode = 1;
}

await main();
