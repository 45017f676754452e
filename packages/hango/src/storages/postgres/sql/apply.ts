/**
 * The statement of apply: all current rows locked in path order, everything that is stale found, and only when nothing is
 * the deletes, changes and creates, with usage and events. Runs behind the tree lock.
 */
import { insertEvents } from "./origin.ts";
import { shaped, type ShapedSql } from "./statement.ts";
import { owned, tablesOf } from "./tables.ts";

/**
 * The planner takes the lists of a commit for a handful of rows and would join them by nested loops, which is quadratic, so a
 * commit of many runs without them. "many" is a text of its own, because a server keeps a text's plan whatever is set later.
 */
export type ApplyShape = "few" | "many";

export const applySql: ShapedSql<ApplyShape> = shaped((schema, shape) => {
  const { files, usage } = tablesOf(schema);
  // Both sides are parameters, which compare by the database's own collation: there "/B/x" can stand below "/b".
  const deletedBelow = `select 1 from ch d where d.op = 'd' and d.path collate "C" >= ch.path || '/' and d.path collate "C" < ch.path || '0'`;
  const below = `from ${files} b where ${owned("b")} and b.path >= ch.path || '/' and b.path < ch.path || '0'`;
  // The list of paths again, so that no plan walks the whole namespace to find them.
  const changed = `${owned("f")} and f.path = any($paths::text[])`;
  const event = insertEvents(schema, {
    id: "ch.event",
    action: "case when ch.op = 'd' then 'file.delete' else 'file.write' end",
    outcome: "'ok'",
    path: "ch.path",
    version: "done.id::text || '.' || done.version::text",
    previous: "done.previous",
    size: "done.size_bytes",
    source: "from done join ch on ch.n = done.n",
  });
  return `/* ${shape} */ with ch as materialized (select * from unnest($numbers::int[], $ops::text[], $ids::uuid[], $paths::text[], $contents::text[], $binaries::text[],
        $sizes::int[], $types::text[], $newTypes::text[], $expectedIds::uuid[], $expectedVersions::int[], $events::uuid[])
      as t(n, op, id, path, content, content_bytes, size_bytes, content_type, new_type, expected_id, expected_version, event)),
    cur as materialized (select path, ${["id", "version", "size_bytes", "last_op"].join(", ")} from ${files} where ${owned()} and path = any($paths::text[]) order by path for no key update),
    bad as materialized (
      select ch.n, 'stale' as what, cur.last_op from ch left join cur on cur.path = ch.path
        where ch.op <> 'c' and (cur.id is null or (ch.expected_id is not null and (cur.id <> ch.expected_id or cur.version <> ch.expected_version)))
      union all
      select ch.n, 'exists', cur.last_op from ch join cur on cur.path = ch.path where ch.op = 'c'
      union all
      select ch.n, 'below', null from ch where ch.op = 'c' and case when exists (select 1 ${below})
        then (select count(*) ${below}) > (select count(*) from (${deletedBelow}) d) else false end),
    above as materialized (select f.path from ${files} f where ${owned("f")} and f.path = any($ancestors::text[]) and not exists (select 1 from ch where ch.op = 'd' and ch.path = f.path)),
    go as materialized (select not exists (select 1 from bad) and not exists (select 1 from above) as ok),
    del as (delete from ${files} f using ch, cur where (select ok from go) and ch.op = 'd' and cur.path = ch.path and ${changed} and f.path = ch.path and f.id = cur.id
      returning ch.n, f.size_bytes, cur.id::text || '.' || cur.version::text as previous),
    upd as (update ${files} f set content = ch.content, content_bytes = decode(ch.content_bytes, 'base64'), size_bytes = ch.size_bytes,
        content_type = coalesce(ch.content_type, f.content_type), version = f.version + 1, updated_at = now(), last_op = $op::uuid
      from ch, cur where (select ok from go) and ch.op = 'm' and cur.path = ch.path and ${changed} and f.path = ch.path and f.id = cur.id
      returning ch.n, f.id, f.version, f.size_bytes, f.content_type, f.created_at, f.updated_at, f.size_bytes - cur.size_bytes as delta, cur.id::text || '.' || cur.version::text as previous),
    ins as (insert into ${files} (id, tenant_id, agent_id, path, content, content_bytes, size_bytes, content_type, version, last_op, created_at, updated_at)
      select ch.id, $tenant::uuid, $agent::uuid, ch.path, ch.content, decode(ch.content_bytes, 'base64'), ch.size_bytes, ch.new_type, 1, $op::uuid, now(), now()
        from ch where (select ok from go) and ch.op = 'c' order by ch.path collate "C"
      returning id, version, size_bytes, content_type, created_at, updated_at),
    made as (select ch.n, ins.* from ins join ch on ch.id = ins.id),
    done as (select n, id, version, size_bytes, content_type, created_at, updated_at, null as previous from made
      union all select n, id, version, size_bytes, content_type, created_at, updated_at, previous from upd
      union all select n, null, null, size_bytes, null, null, null, previous from del),
    d as (select (select count(*) from ins) - (select count(*) from del) as files,
      coalesce((select sum(size_bytes) from ins), 0) + coalesce((select sum(delta) from upd), 0) - coalesce((select sum(size_bytes) from del), 0) as bytes),
    us as (insert into ${usage} as u (tenant_id, agent_id, files, bytes) select $tenant::uuid, $agent::uuid, greatest(files, 0), greatest(bytes, 0) from d where files <> 0 or bytes <> 0
      on conflict (tenant_id, agent_id) do update set files = u.files + (select files from d), bytes = u.bytes + (select bytes from d)),
    ev as (${event})
    select n, what, null as path, last_op = $op::uuid as mine, null::uuid as id, null::int as version, null::int as size_bytes, null as content_type, null::timestamptz as created_at, null::timestamptz as updated_at from bad
    union all select null, 'above', path, null, null, null, null, null, null, null from above
    union all select n, 'done', null, null, id, version, size_bytes, content_type, created_at, updated_at from done`;
});
