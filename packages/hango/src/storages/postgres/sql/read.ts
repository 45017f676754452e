import { notAFile } from "../../../contract/refusals.ts";
import { HangoError, notFound, shownPath } from "../../../errors.ts";
import type { CallOptions, FileData, FilePath } from "../../../storage.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import type { Row } from "../driver/driver.ts";
import { keyOf } from "./key-range.ts";
import { inScope, infoOf, lastRows, onlyRow, run, type Scope } from "./scope.ts";
import { type FixedSql, fixed } from "./statement.ts";
import { hasBelow, infoColumns, owned, tablesOf } from "./tables.ts";

/** One row always: the file, or none and whether a directory stands there. */
export const readSql: FixedSql = fixed((schema) => {
  const { files } = tablesOf(schema);
  return `select ${infoColumns("f")}, f.content, f.content_bytes, case when f.id is null then ${hasBelow(files, "$path::text")} end as directory
    from (select 1) one left join ${files} f on ${owned("f")} and f.path = $path::text`;
});

/** Reads one file whole. Errors: not_found, not_a_file; internal when what came is not as long as it was kept. */
export async function readFile(scope: Scope, path: FilePath, options: CallOptions = {}): Promise<FileData> {
  const row = onlyRow(lastRows(await run(scope, [inScope(scope, readSql(scope.driver.schema), { path: keyOf(path) })], options)));
  if (row["id"] === null) throw row["directory"] === true ? notAFile(path) : notFound(path, "read");
  return fileOf(row, path);
}

/** The file in a row of `infoColumns` and both contents; the path as asked, or the row's own. Errors: internal when it is not as long as it was kept. */
export function fileOf(row: Row, path?: string): FileData {
  const info = infoOf(row, path);
  const bytes = bytesOf(row["content"], row["content_bytes"]);
  if (bytes.length !== info.sizeBytes)
    throw new HangoError("internal", `The database answered with ${bytes.length} bytes of a file of ${info.sizeBytes}.`, {
      op: "read",
      path: shownPath(info.path),
    });
  return { info, bytes };
}

function bytesOf(content: unknown, binary: unknown): Uint8Array {
  if (typeof content === "string") return encodeUtf8(content);
  if (binary instanceof Uint8Array) return new Uint8Array(binary);
  throw new HangoError("internal", "The database answered with a file that has no content.", { op: "read" });
}
