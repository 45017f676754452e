/**
 * The statement of grep: the primary key in pages, a row stage on whole contents, a line stage on the rows that pass.
 * A page is a key range with a limit and nothing else, so that an index walk is the planner's only sensible choice;
 * visibility, include and content are tested outside that limit, which counts rows and not hits.
 */
import { GREP_LINE_CHARS, GREP_WINDOW_LEAD } from "../../../limits.ts";
import { matchesGlob } from "./glob.ts";
import { type ShapedSql, shaped } from "./statement.ts";
import { owned, tablesOf } from "./tables.ts";
import { asLine, lineCount, linesArray } from "./text-lines.ts";
import { type FilterShape, visible } from "./visible.ts";

/** Files a page holds. */
const PAGE = 256;

/** What the statement varies by, as one word: "tree:1:include:context". */
export type GrepShape = `${"tree" | "paths"}:${FilterShape}:${"include" | ""}:${"context" | ""}`;

export const grepSql: ShapedSql<GrepShape> = shaped((schema, shape) => {
  const [source, filters, include, context] = shape.split(":");
  const { files } = tablesOf(schema);
  // All of it in CASEs: joined by AND, the planner would test the contents of hidden files before it asks whether they show.
  const shown = (range: string): string =>
    `case when ${range}${visible(filters as FilterShape, "path")} then ${include === "" ? "true" : matchesGlob} else false end`;
  // Each mention of a stored text reads and decompresses it again; joined to nothing it is a copy, which the tests and the lines share. A plain text has one test, so that only what passes is copied.
  const passed = `case when $plain::boolean then position($required::text in content) > 0 else true end`;
  const tests = (from: string, range: string): string => `select path, skipped, size_bytes, text from (
      select path, size_bytes, shown and not searched as skipped, case when shown and searched then case when ${passed} then content || '' end end as text from (
        select path, content, size_bytes, ${shown(range)} as shown, content is not null and size_bytes <= $maxBytes::int as searched from (${from}) f offset 0) v offset 0) w
      where case when skipped then $skipped::boolean when text is null then false when $plain::boolean then true else ${rowTest("text")} end`;
  const columns = `m.path, m.skipped, m.size_bytes, u.ln, u.col, u.line${context === "" ? "" : ", u.before, u.after"}`;
  const hits = `left join lateral (${lineStage(context !== "")}) u on true where m.skipped or u.ln is not null limit $limit::int`;
  if (source === "paths")
    return `select ${columns} from (${tests(`select path, content, size_bytes from ${files} where ${owned()} and path = any($paths::text[]) order by path offset 0`, "")}) m ${hits}`;
  const bound = (lo: string): string => `(select path from ${files} where ${owned()} and path > ${lo} order by path offset ${PAGE - 1} limit 1)`;
  return `with recursive b as (
      (select $after::text collate "C" as lo, ${bound("$after::text")} as hi)
      union all
      select b.hi, ${bound("b.hi")} from b where b.hi is not null and b.hi < $end::text)
    select ${columns} from b cross join lateral (
      ${tests(`select path, content, size_bytes from ${files} where ${owned()} and path > b.lo order by path limit ${PAGE}`, "path < $end::text and ")}) m
    ${hits}`;
});

/** The required text first: a search for it costs a fraction of the expression, and ends early where it is common. */
function rowTest(text: string): string {
  return `case when $required::text is null or position($required::text in ${text}) > 0 then ${text} ~ $row::text else false end`;
}

/** Lines as splitLines gives them; the column and the window are computed only for those that match. */
function lineStage(withContext: boolean): string {
  const around = withContext
    ? `, ${contextLines("before", "greatest(1, h.ln - $context::int)", "h.ln - 1")}, ${contextLines("after", "h.ln + 1", "least(h.ln + $context::int, h.total)")}`
    : "";
  // The array's end is looked for once: finding it walks all of the array, which for each hit would be quadratic.
  const split = `select ${linesArray("m.text")} as a offset 0`;
  const lines = withContext ? `select a, ${lineCount("a")} as total from (${split}) s0 offset 0` : split;
  return `select h.ln, h.col, case when length(h.l) <= ${GREP_LINE_CHARS} then h.l else substr(h.l, greatest(1, h.col - ${GREP_WINDOW_LEAD}), ${GREP_LINE_CHARS}) end as line${around}
      from (select x.ln::int as ln, y.l, s.a${withContext ? ", s.total" : ""}, ${startOf("y.l")} as col
        from (${lines}) s
        cross join lateral unnest(s.a) with ordinality x(p, ln)
        cross join lateral (select ${asLine("x.p", "x.ln")} as l) y
        where not m.skipped and (x.p <> '' or x.ln < cardinality(s.a)) and ${lineTest("y.l")} limit $limit::int) h`;
}

/** A plain text is found by position, which is far cheaper than any expression; so most lines are told apart by the required text already. It has at most 64 characters. */
function lineTest(line: string): string {
  return `case when $required::text is null or position($required::text in ${line}) > 0 then $plain::boolean or ${line} ~ $line::text else false end`;
}

/** The leftmost match's first character, counted from 1. */
function startOf(line: string): string {
  return `case when $plain::boolean then position($required::text in ${line}) else length(${line}) - length(substring(${line} from $place::text)) + 1 end`;
}

function contextLines(name: string, from: string, to: string): string {
  const line = asLine("t.p", `t.o + (${from}) - 1`);
  return `(select coalesce(array_agg(left(${line}, ${GREP_LINE_CHARS}) order by t.o), '{}'::text[]) from unnest(h.a[(${from}):(${to})]) with ordinality t(p, o)) as ${name}`;
}
