/**
 * The bare statements: the least that a careful application would write by hand for the same effect on the same tables.
 * A change also keeps the usage row and an audit row, in one statement; there are no checks of paths, no rule that a file and a
 * directory never share a name, no word on why a change did not happen, and no mark by which a change that is sent again is recognised.
 */
import { uuidV7 } from "../../../hango/src/path/uuid.ts";
import type { Namespace } from "../../../hango/src/storage.ts";
import type { Row, SqlValue } from "../../../hango/src/storages/postgres/driver/driver.ts";
import type { Ask } from "./engine.ts";

export interface Bare {
  readonly stat: (path: string) => Promise<Row>;
  readonly read: (path: string) => Promise<Row>;
  readonly lines: (path: string, offset: number, limit: number) => Promise<Row>;
  readonly create: (path: string, text: string) => Promise<Row>;
  readonly update: (path: string, text: string, seen: Seen) => Promise<Row>;
  readonly delete: (path: string) => Promise<Row>;
  readonly ls: (directory: string) => Promise<readonly Row[]>;
  readonly glob: (suffix: string, limit: number) => Promise<readonly Row[]>;
  readonly grepText: (text: string, limit: number) => Promise<readonly Row[]>;
  readonly grepRegex: (regex: string, limit: number) => Promise<readonly Row[]>;
  readonly updateAll: (files: readonly (Seen & { readonly path: string; readonly text: string })[]) => Promise<readonly Row[]>;
}

/** The row that the caller saw. */
export interface Seen {
  readonly id: string;
  readonly version: number;
}

const files = "hango.agent_files";
const mine = "tenant_id = $1::uuid and agent_id = $2::uuid";
const info = "id, version, size_bytes, content_type, created_at, updated_at";
const audit = (source: string, event: string, action: string): string =>
  `insert into hango.audit_events (tenant_id, id, agent_id, action, outcome, path, version, size_bytes, actor)
    select $1::uuid, ${event}, $2::uuid, '${action}', 'ok', path, id::text || '.' || version::text, size_bytes, 'operator' from ${source}`;

const statSql = `select ${info} from ${files} where ${mine} and path = $3`;
const readSql = `select ${info}, content, content_bytes from ${files} where ${mine} and path = $3`;
const linesSql = `select ${info}, cardinality(a) as total, a[$4::int:$5::int] as lines
  from (select ${info}, string_to_array(content, chr(10)) as a from ${files} where ${mine} and path = $3 offset 0) f`;
const createSql = `with ins as (
    insert into ${files} (id, tenant_id, agent_id, path, content, size_bytes, content_type) values ($4::uuid, $1::uuid, $2::uuid, $3, $5, $6::int, $7)
    on conflict (tenant_id, agent_id, path) do nothing returning path, ${info}),
  us as (insert into hango.agent_usage as u (tenant_id, agent_id, files, bytes) select $1::uuid, $2::uuid, 1, size_bytes from ins
    on conflict (tenant_id, agent_id) do update set files = u.files + 1, bytes = u.bytes + excluded.bytes),
  ev as (${audit("ins", "$8::uuid", "file.write")})
  select ${info} from ins`;
const updateSql = `with upd as (
    update ${files} set content = $4, content_bytes = null, size_bytes = $5::int, version = version + 1, updated_at = now()
    where ${mine} and path = $3 and id = $6::uuid and version = $7::int returning path, ${info}),
  us as (update hango.agent_usage set bytes = bytes + upd.size_bytes - $8::int from upd where ${mine} and upd.size_bytes <> $8::int),
  ev as (${audit("upd", "$9::uuid", "file.write")})
  select ${info} from upd`;
const deleteSql = `with del as (delete from ${files} where ${mine} and path = $3 returning path, id, version, size_bytes),
  us as (update hango.agent_usage set files = files - 1, bytes = bytes - del.size_bytes from del where ${mine}),
  ev as (${audit("del", "$4::uuid", "file.delete")})
  select id, size_bytes from del`;
const next = (from: string): string => `select path, ${info} from ${files} where ${mine} and path >= ${from} and path < $4 order by path limit 1`;
const lsSql = `with recursive c as (
    (${next("$3")})
    union all
    select n.* from c cross join lateral (${next(
      "case when strpos(substr(c.path, length($3) + 1), '/') > 0 then $3 || split_part(substr(c.path, length($3) + 1), '/', 1) || '0' else c.path || chr(1) end",
    )}) n)
  select path, ${info} from c`;
const globSql = `select path from ${files} where ${mine} and path like $3 order by path limit $4::int`;
const grepSql = (row: string, line: string): string => `select path, ln, line
  from (select path, content from ${files} where ${mine} and ${row} order by tenant_id, agent_id, path) f
  cross join lateral (select line, ln from string_to_table(content, chr(10)) with ordinality u(line, ln) where ${line}) u limit $4::int`;
const grepTextSql = grepSql("position($3 in content) > 0", "position($3 in line) > 0");
const grepRegexSql = grepSql("content ~ $3", "line ~ $3");
const updateAllSql = `with ch as (select * from unnest($3::text[], $4::text[], $5::int[], $6::uuid[], $7::int[], $8::uuid[]) as t(path, content, size_bytes, id, version, event)),
  upd as (update ${files} f set content = ch.content, content_bytes = null, size_bytes = ch.size_bytes, version = f.version + 1, updated_at = now()
    from ch where f.tenant_id = $1::uuid and f.agent_id = $2::uuid and f.path = ch.path and f.id = ch.id and f.version = ch.version
    returning ch.event, f.path, f.id, f.version, f.size_bytes, f.content_type),
  ev as (${audit("upd", "event", "file.write")})
  select path, id, version, size_bytes, content_type from upd order by path`;

export function bareStatements(ask: Ask, { tenantId, agentId }: Namespace): Bare {
  const all = (text: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> => ask(text, [tenantId, agentId, ...values]);
  const one = async (text: string, ...values: readonly SqlValue[]): Promise<Row> => {
    const [row] = await all(text, ...values);
    if (row === undefined) throw new Error("The bare statement found no row, or another version.");
    return row;
  };
  return {
    stat: (path) => one(statSql, path),
    read: (path) => one(readSql, path),
    lines: (path, offset, limit) => one(linesSql, path, offset, offset + limit - 1),
    create: (path, text) => one(createSql, path, uuidV7(), text, Buffer.byteLength(text), "text/plain", uuidV7()),
    // The size of what is written over: texts of one length here, so that neither side touches the usage row.
    update: (path, text, { id, version }) => one(updateSql, path, text, Buffer.byteLength(text), id, version, Buffer.byteLength(text), uuidV7()),
    delete: (path) => one(deleteSql, path, uuidV7()),
    ls: (directory) => all(lsSql, `${directory}/`, `${directory}0`),
    glob: (suffix, limit) => all(globSql, `%${suffix}`, limit),
    grepText: (text, limit) => all(grepTextSql, text, limit),
    grepRegex: (regex, limit) => all(grepRegexSql, regex, limit),
    updateAll: (changes) =>
      all(
        updateAllSql,
        changes.map(({ path }) => path),
        changes.map(({ text }) => text),
        changes.map(({ text }) => Buffer.byteLength(text)),
        changes.map(({ id }) => id),
        changes.map(({ version }) => version),
        changes.map(() => uuidV7()),
      ),
  };
}
