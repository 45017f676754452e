/**
 * The statements of a load. Rows come by COPY into a temporary table, because a table with row-level security takes no COPY, and
 * because a COPY looks at nothing: neither at files above nor at what is below. One checked statement, behind the tree lock, moves them.
 */
import { insertEvents } from "../sql/origin.ts";
import { type FixedSql, fixed } from "../sql/statement.ts";
import { hasBelow, owned, tablesOf } from "../sql/tables.ts";

/** A qualified name is found where row-level security or a search path would hide it. */
const STAGE = "pg_temp.hango_load";

/** In the order of the fields of a row. */
const STAGED = "id, tenant_id, agent_id, path, content, content_bytes, size_bytes, content_type, version, last_op, created_at, updated_at, given_type";

/** Like the table, so that each value is compressed once and in its way. */
export const makeStageSql: FixedSql = fixed(
  (schema) => `create temporary table hango_load (like ${tablesOf(schema).files} including compression, given_type text) on commit drop`,
);
export const emptyStageSql: FixedSql = fixed(() => `truncate ${STAGE}`);
export const copySql: FixedSql = fixed(() => `copy ${STAGE} (${STAGED}) from stdin (format binary)`);

/**
 * Locks the files that are there, decides for each row what becomes of it, and does that.
 * Rows of the answer: how many of each outcome, the first paths that were refused or kept, and what the counts change by ("delta").
 * $op is the load's own: what it wrote itself, it may write over.
 */
export const loadSql: FixedSql = fixed((schema) => {
  const { files, usage } = tablesOf(schema);
  const event = insertEvents(schema, {
    id: "done.event",
    action: "'file.write'",
    outcome: "'ok'",
    path: "done.path",
    version: "done.id::text || '.' || done.version::text",
    previous: "done.previous",
    size: "done.size_bytes",
    source: "from done",
  });
  // "/a/b/c" is cut into "", a, b, c, of which the first two and three make the paths above it.
  const parts = "string_to_array(l.path, '/')";
  const above = `exists (select 1 from generate_series(2, cardinality(${parts}) - 1) as i(n)
      where array_to_string((${parts})[1:i.n], '/') collate "C" in (select path from above))`;
  return `with cur as materialized (select path, id, version, size_bytes, last_op, updated_at, content, content_bytes from ${files}
      where ${owned()} and path = any($paths::text[]) order by path for no key update),
    above as materialized (select path from ${files} where ${owned()} and path = any($ancestors::text[])),
    found as materialized (select l.id, l.path, l.size_bytes, cur.id as old_id, cur.version as old_version, cur.size_bytes as old_size,
      case when cur.id = l.id then 'new'
        when cur.id is not null then case
          when l.content is not distinct from cur.content and l.content_bytes is not distinct from cur.content_bytes then 'same'
          when cur.last_op = $op::uuid or $mode::text = 'always' then 'over'
          when $mode::text = 'newer' and l.updated_at > cur.updated_at then 'over'
          when $mode::text = 'newer' then 'older' else 'kept' end
        when case when exists (select 1 from above) then ${above} else false end then 'above'
        when ${hasBelow(files, "l.path")} then 'below'
        else 'new' end as outcome
      from ${STAGE} l left join cur on cur.path = l.path),
    ins as (insert into ${files} (id, tenant_id, agent_id, path, content, content_bytes, size_bytes, content_type, version, last_op, created_at, updated_at)
      select l.id, $tenant::uuid, $agent::uuid, l.path, l.content, l.content_bytes, l.size_bytes, l.content_type, 1, $op::uuid, now(), l.updated_at
        from ${STAGE} l where l.id in (select id from found where outcome = 'new' and old_id is null)
      returning id, path, size_bytes),
    upd as (update ${files} f set content = l.content, content_bytes = l.content_bytes, size_bytes = l.size_bytes,
        content_type = coalesce(l.given_type, f.content_type), version = f.version + 1, updated_at = l.updated_at, last_op = $op::uuid
      from ${STAGE} l join found on found.id = l.id
      where found.outcome = 'over' and ${owned("f")} and f.path = any($paths::text[]) and f.path = l.path and f.id = found.old_id
      returning l.id as event, f.id, f.path, f.version, f.size_bytes, f.size_bytes - found.old_size as delta, found.old_id::text || '.' || found.old_version::text as previous),
    done as (select id as event, id, path, 1 as version, size_bytes, null as previous from ins
      union all select event, id, path, version, size_bytes, previous from upd),
    d as (select (select count(*) from ins) as files, coalesce((select sum(size_bytes) from ins), 0) + coalesce((select sum(delta) from upd), 0) as bytes),
    us as (insert into ${usage} as u (tenant_id, agent_id, files, bytes)
      select $tenant::uuid, $agent::uuid, files, greatest(bytes, 0) from d where $counts::boolean and (files <> 0 or bytes <> 0)
      on conflict (tenant_id, agent_id) do update set files = u.files + (select files from d), bytes = u.bytes + (select bytes from d)),
    ev as (${event})
    select outcome, count(*)::int as files, sum(size_bytes)::bigint as bytes, null as path from found group by outcome
    union all select 'delta', files::int, bytes::bigint, null from d
    union all (select outcome, null, null, path from found where outcome in ('kept', 'above', 'below') order by path collate "C" limit $named::int)`;
});

/** What a load of one transaction adds to the counts: at its end, since usage is the last lock that anybody takes. */
export const addUsageSql: FixedSql = fixed(
  (schema) => `insert into ${tablesOf(schema).usage} as u (tenant_id, agent_id, files, bytes)
    select $tenant::uuid, $agent::uuid, $files::bigint, greatest($bytes::bigint, 0)
    on conflict (tenant_id, agent_id) do update set files = u.files + $files::bigint, bytes = u.bytes + $bytes::bigint`,
);
