// Packs a migrated, empty PGlite data directory into seed/, so that a new database starts in a second instead of six.
// Runs on the sources, so it needs no dist.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { PGLITE_MAJOR } from "../src/storages/postgres/driver/data-directory.ts";
import { runUp } from "../src/storages/postgres/migrations/run.ts";

const file = fileURLToPath(new URL(`../seed/pglite-${PGLITE_MAJOR}.tar.gz`, import.meta.url));
const db = await PGlite.create();
const connection = {
  query: async (text, values = []) => {
    const result = await db.query(text, [...values]);
    return { rows: result.rows, affected: result.affectedRows ?? 0 };
  },
};

const [{ version }] = (await connection.query("select current_setting('server_version_num')::int / 10000 as version")).rows;
if (String(version) !== PGLITE_MAJOR) throw new Error(`PGlite is PostgreSQL ${version}, but PGLITE_MAJOR says ${PGLITE_MAJOR}`);
const names = await runUp(connection, "hango");
// The templates serve `create database` only, and are two thirds of the image's thousand files.
for (const statement of ["update pg_database set datistemplate = false", "drop database template0", "drop database template1"]) await db.query(statement);
await db.exec("vacuum analyze");
await db.exec("checkpoint");
const image = await db.dumpDataDir("gzip");
await db.close();

mkdirSync(dirname(file), { recursive: true });
const bytes = new Uint8Array(await image.arrayBuffer());
writeFileSync(`${file}.new`, bytes);
renameSync(`${file}.new`, file);
console.log(`seed: ${names.join(", ")}; ${(bytes.length / 1024 / 1024).toFixed(1)} MB`);
