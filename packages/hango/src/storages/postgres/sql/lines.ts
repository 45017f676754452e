import { notAFile, notText } from "../../../contract/refusals.ts";
import { notFound } from "../../../errors.ts";
import type { FilePath, LinePage, LineQuery } from "../../../storage.ts";
import { codePointLength, sliceCodePoints } from "../../../text/utf8.ts";
import { keyOf } from "./key-range.ts";
import { inScope, infoOf, lastRows, numberOf, onlyRow, run, type Scope, textsOf } from "./scope.ts";
import { type FixedSql, fixed } from "./statement.ts";
import { hasBelow, infoColumns, owned, tablesOf } from "./tables.ts";
import { asLine, lineCount, piecesArray, withoutCr } from "./text-lines.ts";

/** Far more lines than a file can have; keeps offset + limit inside an int. */
const MAX_LINE_NUMBER = 1_000_000_000;

/** Cuts the window where the file is: one character more than is shown, so that a cut is known. */
export const linesSql: FixedSql = fixed((schema) => {
  const { files } = tablesOf(schema);
  return `select ${infoColumns("f")}, f.is_binary, ${lineCount("f.a")} as total,
      (select array_agg(case when x.o = 1 and $column::int > 1 then substr(y.l, $column::int, $chars::int)
          when octet_length(y.l) < $chars::int then y.l else substr(y.l, 1, $chars::int) end order by x.o)
        from unnest(f.a[($offset::int):($offset::int + $limit::int - 1)]) with ordinality x(p, o)
        cross join lateral (select ${withoutCr("x.p", "x.o + $offset::int - 1 < cardinality(f.a)")} as p) w
        cross join lateral (select ${asLine("w.p", "x.o + $offset::int - 1")} as l) y) as lines,
      case when $column::int > 1 and $offset::int <= ${lineCount("f.a")}
        then (select length(${asLine("w.p", "$offset::int")}) from (select ${withoutCr("f.a[$offset::int]", "$offset::int < cardinality(f.a)")} as p offset 0) w) end as first_chars,
      case when f.id is null then ${hasBelow(files, "$path::text")} end as directory
    from (select 1) one left join (select ${infoColumns()}, content is null as is_binary, ${piecesArray("content")} as a
      from ${files} where ${owned()} and path = $path::text offset 0) f on true`;
});

/** Reads a window of lines, in one round trip; the rest of the file never leaves the database. */
export async function readLines(scope: Scope, path: FilePath, query: LineQuery): Promise<LinePage> {
  const offset = Math.max(1, Math.min(query.offset, MAX_LINE_NUMBER));
  const values = {
    path: keyOf(path),
    offset,
    limit: Math.min(query.limit, MAX_LINE_NUMBER),
    column: Math.min(query.column, MAX_LINE_NUMBER),
    chars: Math.min(query.maxLineChars, MAX_LINE_NUMBER) + 1,
  };
  const row = onlyRow(lastRows(await run(scope, [inScope(scope, linesSql(scope.driver.schema), values)], query)));
  if (row["id"] === null) throw row["directory"] === true ? notAFile(path) : notFound(path, "lines");
  if (row["is_binary"] === true) throw notText(path);
  const totalLines = numberOf(row, "total") ?? 0;
  const texts = (textsOf(row, "lines") ?? []).slice(0, Math.max(0, totalLines - offset + 1));
  const firstLineChars = numberOf(row, "first_chars");
  return {
    info: infoOf(row, path),
    totalLines,
    lines: texts.map((text, index) => ({ number: offset + index, ...clip(text, query.maxLineChars) })),
    ...(firstLineChars === undefined ? {} : { firstLineChars }),
  };
}

function clip(text: string, maxChars: number): { readonly text: string; readonly clipped: boolean } {
  const clipped = text.length > maxChars && codePointLength(text) > maxChars;
  return { text: clipped ? sliceCodePoints(text, 0, maxChars) : text, clipped };
}
