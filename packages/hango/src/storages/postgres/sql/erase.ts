/** Everything that a namespace owns, gone. */
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

/** Erases files, counts, quota and record. Atomicity: one transaction. Answers what was in it. */
export async function eraseNamespace(scope: Scope): Promise<{ readonly files: number; readonly bytes: number }> {
  const lock = treeLock(scope);
  const statements = (["files", "events", "usage"] as const).map((shape) => inScope(scope, eraseSql(scope.driver.schema, shape)));
  const { rows } = await run(scope, [...lock, ...statements]);
  const counts = rows[lock.length]?.[0] ?? {};
  return { files: numberOf(counts, "files") ?? 0, bytes: numberOf(counts, "bytes") ?? 0 };
}
