/** What a careful application would write itself: a binary COPY into a temporary table and one insert from it, 4 MiB at a time; a cursor to read. */
import { isUtf8 } from "node:buffer";
import { finished } from "node:stream/promises";
import type { Namespace } from "../../../hango/src/storage.ts";
import type { LoadFile } from "../../../hango/src/storages/postgres/index.ts";
import { uuidV7 } from "../../../hango/src/path/uuid.ts";
import { createCopyRows, intField, textField, uuidField } from "../../../hango/src/storages/postgres/load/copy-rows.ts";
import type pg from "pg";
import { from } from "pg-copy-streams";

const CHUNK_BYTES = 4 * 1024 * 1024;
const FETCH_ROWS = 500;

/** No file above or below is looked for, nothing is counted or recorded, and a file that is there is an error. */
export async function bareImport(client: pg.Client, { tenantId, agentId }: Namespace, files: Iterable<LoadFile>): Promise<number> {
  const rows = createCopyRows(CHUNK_BYTES * 1.25);
  const flush = async (): Promise<void> => {
    await client.query("begin");
    await client.query("create temporary table bare (id uuid, path text, content text, content_bytes bytea, size int) on commit drop");
    const stream = client.query(from("copy bare from stdin (format binary)"));
    stream.end(rows.bytes());
    await finished(stream);
    await client.query(
      "insert into hango.agent_files (id, tenant_id, agent_id, path, content, content_bytes, size_bytes, content_type) select id, $1, $2, path, content, content_bytes, size, 'text/plain' from bare",
      [tenantId, agentId],
    );
    await client.query("commit");
    rows.clear();
  };
  let count = 0;
  for (const { path, bytes } of files) {
    const isText = isUtf8(bytes) && !bytes.includes(0);
    rows.add([uuidField(uuidV7()), textField(`/${path}`), isText ? bytes : null, isText ? null : bytes, intField(bytes.length)]);
    count += 1;
    if (rows.size() >= CHUNK_BYTES) await flush();
  }
  await flush();
  return count;
}

/** Bytes of all files, read through a cursor. */
export async function bareExport(client: pg.Client, { tenantId, agentId }: Namespace): Promise<number> {
  await client.query("begin isolation level repeatable read read only");
  await client.query(
    `declare bare cursor for select path, content, content_bytes, content_type, updated_at from hango.agent_files where tenant_id = '${tenantId}' and agent_id = '${agentId}' order by path`,
  );
  let bytes = 0;
  for (;;) {
    const { rows } = await client.query<{ content: string | null; content_bytes: Buffer | null }>(`fetch ${FETCH_ROWS} from bare`);
    if (rows.length === 0) break;
    for (const { content, content_bytes } of rows) bytes += (content === null ? (content_bytes ?? Buffer.alloc(0)) : Buffer.from(content)).length;
  }
  await client.query("commit");
  return bytes;
}
