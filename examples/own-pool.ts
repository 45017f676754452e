import { openDatabase, type Database } from "hango/postgres";
import pg from "pg";

/** A pool of your own: your TLS, your passwords, your size. hango leaves it open; you end it, after the database. */
export async function openOnPool(url: string): Promise<{ readonly database: Database; readonly close: () => Promise<void> }> {
  // pipeline: true sends the statements of a call in one round trip.
  const pool = new pg.Pool({ connectionString: url, max: 20, pipeline: true, idleTimeoutMillis: 30_000 } as pg.PoolConfig);
  try {
    const database = await openDatabase(url, {
      pool,
      // Behind a transaction pooler that does not keep prepared statements: false.
      preparedStatements: true,
      // Does not open where the role passes the policies by.
      rowLevelSecurity: true,
    });
    return { database, close: () => database.close().then(() => pool.end()) };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
