/** Every text that the storage sends, for the tests that read and explain them. */
import { dumpSql } from "../load/dump.ts";
import { addUsageSql, loadSql } from "../load/load-sql.ts";
import { applySql } from "./apply.ts";
import { deleteSql } from "./delete.ts";
import { eraseSql } from "./erase.ts";
import { globSql, pathsSql } from "./glob.ts";
import { type GrepShape, grepSql } from "./grep.ts";
import { linesSql } from "./lines.ts";
import { listSql } from "./list.ts";
import { lsSql } from "./ls.ts";
import { pruneSql } from "./prune.ts";
import { setQuotaSql, usageSql } from "./quota.ts";
import { readSql } from "./read.ts";
import { eventsSql, recordedSql, recordSql } from "./record.ts";
import { statSql } from "./stat.ts";
import type { Sql } from "./statement.ts";
import { advisoryLockSql, holdRowSql, lockRowSql } from "./tree-lock.ts";
import type { FilterShape } from "./visible.ts";
import { createSql, updateSql } from "./write.ts";

/** The shapes of filters that are listed; further ones only repeat. */
const FILTERS: readonly FilterShape[] = ["0", "1", "2", "1+", "2+"];

/** The texts by name; those that vary, in each shape. */
export function allStatements(schema: string): ReadonlyMap<string, Sql> {
  const fixed: readonly (readonly [string, Sql])[] = [
    ["apply:few", applySql(schema, "few")],
    ["apply:many", applySql(schema, "many")],
    ["create", createSql(schema)],
    ["delete", deleteSql(schema)],
    ["erase:files", eraseSql(schema, "files")],
    ["erase:usage", eraseSql(schema, "usage")],
    ["erase:events", eraseSql(schema, "events")],
    ["events", eventsSql(schema)],
    ["lines", linesSql(schema)],
    ["load", loadSql(schema)],
    ["load:usage", addUsageSql(schema)],
    ["prune", pruneSql(schema)],
    ["read", readSql(schema)],
    ["record", recordSql(schema)],
    ["recorded", recordedSql(schema)],
    ["setQuota", setQuotaSql(schema)],
    ["update", updateSql(schema)],
    ["usage", usageSql(schema)],
    ["lock:advisory", advisoryLockSql(schema)],
    ["lock:row", lockRowSql(schema)],
    ["lock:hold", holdRowSql(schema)],
  ];
  const greps: readonly GrepShape[] = FILTERS.flatMap((count) =>
    (["", "include"] as const).flatMap((include) =>
      (["", "context"] as const).flatMap((context) => (["tree", "paths"] as const).map((source): GrepShape => `${source}:${count}:${include}:${context}`)),
    ),
  );
  const filtered = FILTERS.flatMap((count): readonly (readonly [string, Sql])[] => [
    [`glob:${count}`, globSql(schema, `${count}:0`)],
    [`glob:${count}:tails`, globSql(schema, `${count}:2`)],
    [`glob:${count}:regex`, globSql(schema, `${count}:regex`)],
    [`paths:${count}`, pathsSql(schema, count)],
    [`dump:${count}`, dumpSql(schema, count)],
    [`list:${count}`, listSql(schema, count)],
    [`ls:${count}`, lsSql(schema, count)],
    [`stat:${count}`, statSql(schema, count)],
  ]);
  return new Map<string, Sql>([...fixed, ...filtered, ...greps.map((shape): readonly [string, Sql] => [`grep:${shape}`, grepSql(schema, shape)])]);
}
