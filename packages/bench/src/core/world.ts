/** A filled namespace with its three ways in: the bare statements, the library's files over the scoped storage, and an agent's session. */
import { randomUUID } from "node:crypto";
import type { FileSystem } from "../../../hango/src/filesystem.ts";
import { createFileSystem } from "../../../hango/src/fs/create-file-system.ts";
import { uuidV7 } from "../../../hango/src/path/uuid.ts";
import { openSession } from "../../../hango/src/session/session.ts";
import type { Namespace, Storage } from "../../../hango/src/storage.ts";
import { driverOf } from "../../../hango/src/storages/postgres/database.ts";
import { postgresStorage } from "../../../hango/src/storages/postgres/postgres-storage.ts";
import { type Bare, bareStatements } from "./bare.ts";
import { type CorpusFile, corpusOf } from "./corpus.ts";
import type { Ask, Engine } from "./engine.ts";

export interface Door {
  readonly name: "files" | "session";
  readonly fs: FileSystem;
  readonly storage: Storage;
}

export interface World {
  readonly files: number;
  readonly bare: Bare;
  readonly doors: readonly Door[];
}

const BATCH = 500;
const insertSql = `insert into hango.agent_files (id, tenant_id, agent_id, path, content, size_bytes, content_type)
  select id, $1::uuid, $2::uuid, path, content, octet_length(content), 'text/plain' from unnest($3::uuid[], $4::text[], $5::text[]) as t(id, path, content)`;
const usageSql = `insert into hango.agent_usage (tenant_id, agent_id, files, bytes)
  select $1::uuid, $2::uuid, count(*), coalesce(sum(size_bytes), 0) from hango.agent_files where tenant_id = $1::uuid and agent_id = $2::uuid`;

export async function makeWorld(engine: Engine, namespace: Namespace, files: number): Promise<World> {
  await fill(engine.ask, namespace, files);
  await settle(engine, namespace);
  const storage = postgresStorage(engine.database).scope(namespace);
  const session = openSession({ storage, sessionId: randomUUID() });
  return {
    files,
    bare: bareStatements(engine.ask, namespace),
    doors: [
      { name: "files", fs: createFileSystem(storage), storage },
      { name: "session", fs: session.fs, storage: session.storage },
    ],
  };
}

/**
 * A server process that once gave a large block back keeps such memory from then on, and pages through a MiB in two thirds of the
 * time. Filling does that for the bare statements' connection only, so both get the same large block here.
 */
async function settle({ ask, database }: Engine, namespace: Namespace): Promise<void> {
  const text = "select octet_length(repeat('x', 20000000)) as bytes";
  await ask(text, []);
  await driverOf(database).run([{ text, values: [] }], { namespace });
}

async function fill(ask: Ask, { tenantId, agentId }: Namespace, files: number): Promise<void> {
  const insert = async (batch: readonly CorpusFile[]): Promise<void> =>
    void (await ask(insertSql, [tenantId, agentId, batch.map(() => uuidV7()), batch.map(({ path }) => path), batch.map(({ text }) => text)]));
  let batch: CorpusFile[] = [];
  for (const file of corpusOf(files)) {
    batch.push(file);
    if (batch.length < BATCH) continue;
    await insert(batch);
    batch = [];
  }
  if (batch.length > 0) await insert(batch);
  await ask(usageSql, [tenantId, agentId]);
  await ask("vacuum analyze hango.agent_files", []);
}
