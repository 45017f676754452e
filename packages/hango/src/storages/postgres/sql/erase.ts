/** Everything that a namespace owns, gone. */
import type { Statement } from "../driver/driver.ts";
import { inScope, numberOf, run, type Scope } from "./scope.ts";
import { type ShapedSql, shaped } from "./statement.ts";
import { treeLock } from "./tree-lock.ts";
import { owned, tablesOf } from "./tables.ts";

/** Usage comes last, as in every statement. The lock's own row stays: another transaction may be waiting for it. */
export const eraseSql: ShapedSql<"files" | "usage" | "events"> = shaped((schema, shape) => {
  const { files, usage, events } = tablesOf(schema);
  switch (shape) {
    case "files":
      return `with gone as (delete from ${files} where ${owned()} returning size_bytes) select count(*) as files, coalesce(sum(size_bytes), 0) as bytes from gone`;
    case "usage":
      return `delete from ${usage} where ${owned()}`;
    case "events":
      return `delete from ${events} where ${owned()}`;
  }
});

/** For all that a namespace holds: at the minute of an ordinary call a large one could never be erased. Units: milliseconds. */
export const ERASE_TIMEOUT_MS = 1_800_000;

/** In the one order of every statement: usage last. */
export function eraseStatements(scope: Scope): readonly Statement[] {
  return (["files", "events", "usage"] as const).map((shape) => inScope(scope, eraseSql(scope.driver.schema, shape)));
}

/** Erases files, counts, quota and record. Atomicity: one transaction. Answers what was in it. */
export async function eraseNamespace(scope: Scope): Promise<{ readonly files: number; readonly bytes: number }> {
  const lock = treeLock(scope);
  const { rows } = await run(scope, [...lock, ...eraseStatements(scope)], { timeoutMs: ERASE_TIMEOUT_MS });
  const counts = rows[lock.length]?.[0] ?? {};
  return { files: numberOf(counts, "files") ?? 0, bytes: numberOf(counts, "bytes") ?? 0 };
}
