/** Draws sequences from a seed and shortens the first that fails: the message alone is enough to run it again. */
import * as fc from "fast-check";
import type { Operation } from "./operation.ts";
import { operation } from "./operations.ts";
import { runSequence, type Sequence } from "./sequence.ts";
import type { Subject } from "./world.ts";

/** Operations of a sequence, about: most are nearly as long as they may be. */
const SEQUENCE_LENGTH = 50;
/** At most. */
const MAX_LENGTH = 55;

export interface CheckOptions {
  readonly seed: number;
  /** Operations in all, about. */
  readonly operations: number;
  /** Of a failure that was printed: goes straight to the shortened sequence. */
  readonly path?: string;
  /** Called after each sequence with its number of operations. */
  readonly onSequence?: (operations: number) => void;
}

/** Errors: plain Error with the seed, the path, the shortened operations and the line that runs them again. */
export async function checkSubject(subject: Subject, { seed, operations, path, onSequence }: CheckOptions): Promise<void> {
  const sequence: fc.Arbitrary<Sequence> = fc.record({
    neighbour: fc.constantFrom("agent", "tenant"),
    operations: fc.array(operation({ search: subject.search }), { minLength: 1, maxLength: MAX_LENGTH, size: "max" }),
  });
  const property = fc.asyncProperty(sequence, async (drawn) => {
    await runSequence(subject, drawn);
    onSequence?.(drawn.operations.length);
  });
  const details = await fc.check(property, { seed, numRuns: Math.ceil(operations / SEQUENCE_LENGTH), ...(path === undefined ? {} : { path }) });
  if (!details.failed) return;
  const [shortened] = details.counterexample ?? [];
  const cause = details.errorInstance;
  throw new Error(
    [
      `${subject.name} and the model part ways (seed ${seed}, path ${details.counterexamplePath ?? "?"}, shortened ${details.numShrinks} times):`,
      cause instanceof Error ? cause.message : String(cause),
      `operations, beside another ${shortened?.neighbour ?? "?"}:`,
      ...(shortened?.operations ?? []).map((one: Operation) => `  ${JSON.stringify(one)}`),
      `again: npm exec -c "node test/model/long.ts --storage '${subject.name}' --seed ${seed} --path ${details.counterexamplePath ?? ""}"`,
    ].join("\n"),
    { cause },
  );
}
