import { conflict, notAFile } from "../../../contract/refusals.ts";
import { notFound } from "../../../errors.ts";
import { uuidV7 } from "../../../path/uuid.ts";
import type { DeleteOptions, FilePath } from "../../../storage.ts";
import type { Row } from "../driver/driver.ts";
import { runChange } from "./change.ts";
import { keyOf } from "./key-range.ts";
import { insertEvents, originValues } from "./origin.ts";
import { inScope, onlyRow, type Scope, versionOf } from "./scope.ts";
import { type FixedSql, fixed } from "./statement.ts";
import { hasBelow, owned, tablesOf } from "./tables.ts";
import { expectedRow } from "./version.ts";

/** Same shape as the update: look with a row lock, delete what is expected, tell every outcome. */
export const deleteSql: FixedSql = fixed((schema) => {
  const { files, usage } = tablesOf(schema);
  const event = insertEvents(schema, {
    id: "$event::uuid",
    action: "'file.delete'",
    outcome: "'ok'",
    path: "$path::text",
    version: "null",
    previous: "del.id::text || '.' || del.version::text",
    size: "del.size_bytes",
    source: "from del",
  });
  return `with old as (select id, version from ${files} where ${owned()} and path = $path::text for update),
    del as (delete from ${files} f using old where ${owned("f")} and f.path = $path::text and f.id = old.id
        and ($expectedId::uuid is null or (old.id = $expectedId::uuid and old.version = $expectedVersion::int))
      returning f.id, f.version, f.size_bytes),
    us as (update ${usage} u set files = u.files - 1, bytes = u.bytes - del.size_bytes from del where ${owned("u")}),
    ev as (${event})
    select del.id is not null as won, old.id, old.version, case when old.id is null then ${hasBelow(files, "$path::text")} end as directory
    from (select 1) one left join old on true left join del on true`;
});

/** Deletes one file. Atomicity: file, usage and event in one transaction, one round trip. */
export async function deleteFile(scope: Scope, path: FilePath, options: DeleteOptions = {}): Promise<void> {
  const expected = options.ifVersion === undefined ? undefined : expectedRow(options.ifVersion);
  const event = uuidV7();
  const values = { ...originValues(options), path: keyOf(path), event, expectedId: expected?.id ?? null, expectedVersion: expected?.version ?? null };
  const isDone = ([row]: readonly Row[]): boolean => row?.["won"] === true;
  const statements = [inScope(scope, deleteSql(scope.driver.schema), values)];
  const { rows, kept } = await runChange(scope, { statements, events: [event], isDone, options });
  if (kept !== undefined || isDone(rows)) return;
  const row = onlyRow(rows);
  if (row["directory"] === true) throw notAFile(path, "Delete the files below it, or delete it recursively.");
  if (expected !== undefined) throw conflict(path, versionOf(row));
  throw notFound(path, "delete");
}
