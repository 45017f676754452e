/** What must hold of a stored state whatever happened before: every write has its one row in the record, every row its write, and the counts are exact. */
import type { Row } from "../../packages/hango/src/storages/postgres/driver/driver.ts";

/** Plain SQL on the database under test, past the storage. */
export type Query = (text: string) => Promise<readonly Row[]>;

interface Life {
  readonly path: string;
  /** How often each version was recorded as written. */
  readonly written: Map<number, number>;
  /** The versions that were recorded as deleted; one at most. */
  readonly deleted: number[];
  readonly faults: string[];
  current?: number;
}

/** Answers one sentence for each fault; none when the state is whole. Units: one look at all namespaces of the schema "hango". */
export async function stateFaults(query: Query): Promise<readonly string[]> {
  // One statement, so that both are of one moment.
  const rows = await query(
    `select action, path, version, previous_version from hango.audit_events where outcome = 'ok'
      union all select 'file', path, id::text || '.' || version::text, null from hango.agent_files`,
  );
  const lives = new Map<string, Life>();
  for (const row of rows) addRow(lives, row);
  return [...[...lives].flatMap(([id, life]) => lifeFaults(id, life)), ...(await usageFaults(query))];
}

function lifeOf(lives: Map<string, Life>, id: string, path: string): Life {
  const known = lives.get(id);
  if (known !== undefined) {
    if (known.path !== path) known.faults.push(`the row ${id} is at ${path} and was at ${known.path}`);
    return known;
  }
  const made: Life = { path, written: new Map(), deleted: [], faults: [] };
  lives.set(id, made);
  return made;
}

function addRow(lives: Map<string, Life>, row: Row): void {
  const path = String(row["path"]);
  const token = String(row["action"] === "file.delete" ? row["previous_version"] : row["version"]);
  const [id = "", version] = token.split(".");
  const life = lifeOf(lives, id, path);
  const number = Number(version);
  if (row["action"] === "file") {
    life.current = number;
    return;
  }
  if (row["action"] === "file.delete") {
    life.deleted.push(number);
    return;
  }
  life.written.set(number, (life.written.get(number) ?? 0) + 1);
  const previous = row["previous_version"];
  const expected = number === 1 ? null : `${id}.${number - 1}`;
  if (previous !== expected) life.faults.push(`${path} ${token} is recorded over ${String(previous)}`);
}

function lifeFaults(id: string, { path, written, deleted, faults, current }: Life): readonly string[] {
  const found = [...faults];
  const last = current ?? deleted[0] ?? 0;
  for (let version = 1; version <= last; version++) {
    const rows = written.get(version) ?? 0;
    if (rows !== 1) found.push(`${path} ${id}.${version} was written and has ${rows} rows in the record`);
  }
  for (const version of written.keys()) if (version > last) found.push(`${path} ${id}.${version} is recorded and was never written`);
  if (deleted.length > (current === undefined ? 1 : 0)) found.push(`${path} ${id} is recorded as deleted ${deleted.length} times, and is ${shown(current)}`);
  if (current === undefined && deleted.length === 0) found.push(`${path} ${id} is gone without a row in the record`);
  return found;
}

function shown(current: number | undefined): string {
  return current === undefined ? "gone" : `there at ${current}`;
}

async function usageFaults(query: Query): Promise<readonly string[]> {
  const rows = await query(
    `select coalesce(u.agent_id, f.agent_id)::text as agent, u.files as kept_files, u.bytes as kept_bytes, f.files, f.bytes
      from (select tenant_id, agent_id, count(*) as files, sum(size_bytes) as bytes from hango.agent_files group by 1, 2) f
      full join hango.agent_usage u on u.tenant_id = f.tenant_id and u.agent_id = f.agent_id`,
  );
  return rows.flatMap((row) => {
    const [files, bytes, keptFiles, keptBytes] = ["files", "bytes", "kept_files", "kept_bytes"].map((name) => Number(row[name] ?? 0));
    if (files === keptFiles && bytes === keptBytes) return [];
    return [`the counts of ${String(row["agent"])} say ${keptFiles} files of ${keptBytes} bytes, and there are ${files} of ${bytes}`];
  });
}
