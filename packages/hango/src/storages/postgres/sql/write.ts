/** The two statements of a write: over a file that is there, and of a new one. Each tells every outcome in one answer. */
import { insertEvents } from "./origin.ts";
import { type FixedSql, fixed } from "./statement.ts";
import { hasBelow, infoColumns, owned, tablesOf } from "./tables.ts";

/**
 * Looks with a row lock, so that what it reports is current also in a race and the size difference is exact;
 * then changes the row when its token is the expected one, or when none is expected.
 * The row of the answer: what stood there, what it became ("won"), or whether a directory stands there.
 */
export const updateSql: FixedSql = fixed((schema) => {
  const { files, usage } = tablesOf(schema);
  const event = insertEvents(schema, {
    id: "$event::uuid",
    action: "'file.write'",
    outcome: "'ok'",
    path: "$path::text",
    version: "upd.id::text || '.' || upd.version::text",
    previous: "upd.id::text || '.' || upd.before::text",
    size: "upd.size_bytes",
    source: "from upd",
  });
  return `with old as (select ${infoColumns()}, last_op from ${files} where ${owned()} and path = $path::text for no key update),
    upd as (update ${files} f set content = $content::text, content_bytes = $bytes::bytea, size_bytes = $size::int,
        content_type = coalesce($type::text, f.content_type), version = f.version + 1, updated_at = now(), last_op = $op::uuid
      from old where ${owned("f")} and f.path = $path::text and f.id = old.id and old.last_op is distinct from $op::uuid
        and ($expectedId::uuid is null or (old.id = $expectedId::uuid and old.version = $expectedVersion::int))
      returning ${infoColumns("f")}, f.size_bytes - old.size_bytes as delta, old.version as before),
    us as (update ${usage} u set bytes = u.bytes + upd.delta from upd where ${owned("u")} and upd.delta <> 0),
    ev as (${event})
    select upd.id is not null as won, old.last_op = $op::uuid as mine, old.id as old_id, old.version as old_version,
      coalesce(upd.id, old.id) as id, coalesce(upd.version, old.version) as version, coalesce(upd.size_bytes, old.size_bytes) as size_bytes,
      coalesce(upd.content_type, old.content_type) as content_type, old.created_at, coalesce(upd.updated_at, old.updated_at) as updated_at,
      case when old.id is null then ${hasBelow(files, "$path::text")} end as directory
    from (select 1) one left join old on true left join upd on true`;
});

/**
 * Inserts when neither a file above nor anything below stands in the way; runs behind the tree lock.
 * The row of the answer: the new file, or what was in the way ("above", "below"), or the file that is there ("old").
 */
export const createSql: FixedSql = fixed((schema) => {
  const { files, usage } = tablesOf(schema);
  const event = insertEvents(schema, {
    id: "$event::uuid",
    action: "'file.write'",
    outcome: "'ok'",
    path: "$path::text",
    version: "ins.id::text || '.' || ins.version::text",
    previous: "null",
    size: "ins.size_bytes",
    source: "from ins",
  });
  return `with above as (select path from ${files} where ${owned()} and path = any($ancestors::text[]) limit 1),
    below as (select path from ${files} where ${owned()} and path >= $path::text || '/' and path < $path::text || '0' limit 1),
    ins as (insert into ${files} (id, tenant_id, agent_id, path, content, content_bytes, size_bytes, content_type, version, last_op, created_at, updated_at)
      select $op::uuid, $tenant::uuid, $agent::uuid, $path::text, $content::text, $bytes::bytea, $size::int, $type::text, 1, $op::uuid, now(), now()
      where not exists (select from above) and not exists (select from below)
      on conflict (tenant_id, agent_id, path) do nothing returning ${infoColumns()}),
    us as (insert into ${usage} as u (tenant_id, agent_id, files, bytes) select $tenant::uuid, $agent::uuid, 1, size_bytes from ins
      on conflict (tenant_id, agent_id) do update set files = u.files + 1, bytes = u.bytes + excluded.bytes),
    ev as (${event})
    select ins.id is not null as won, e.id = $op::uuid as mine, (select path from above) as above, (select path from below) as below,
      e.id as old_id, e.version as old_version, coalesce(ins.id, e.id) as id, coalesce(ins.version, e.version) as version,
      coalesce(ins.size_bytes, e.size_bytes) as size_bytes, coalesce(ins.content_type, e.content_type) as content_type,
      coalesce(ins.created_at, e.created_at) as created_at, coalesce(ins.updated_at, e.updated_at) as updated_at
    from (select 1) one left join ins on true left join ${files} e on ${owned("e")} and e.path = $path::text`;
});
