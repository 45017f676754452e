import { afterEach, describe, expect, it, vi } from "vitest";
import { driverOf, openDatabase } from "./database.ts";
import type { DatabaseOptions } from "./database-options.ts";
import { MIGRATION_NAMES } from "./migrations/run.ts";

/** A pool whose server answers the questions at start with these facts. */
function poolOf(facts: Readonly<Record<string, unknown>>): object {
  const row = {
    version: 180000,
    product: "PostgreSQL 18",
    encoding: "UTF8",
    synchronous_commit: "on",
    datestyle: "ISO, DMY",
    array_nulls: "on",
    row_security: "on",
    role: "app",
    passes_policies: false,
    superuser: false,
    tables: 4,
    forced: 4,
    ...facts,
  };
  const answer = (text: string): readonly object[] => {
    if (text.includes("server_version_num")) return [row];
    if (text.includes("has_table_privilege")) return [{ readable: true }];
    if (text.includes("has_parameter_privilege")) return [{ may: false }];
    return MIGRATION_NAMES.map((name) => ({ name }));
  };
  const client = {
    query: async ({ text }: { text: string }) => ({ command: "SELECT", rows: answer(text) }),
    release: () => undefined,
    on: () => undefined,
    removeListener: () => undefined,
  };
  return { connect: async () => client, on: () => undefined, removeListener: () => undefined };
}

const warnings: Error[] = [];
const listen = (warning: Error): unknown => warnings.push(warning);
afterEach(() => process.removeListener("warning", listen));

describe("opening a database", () => {
  it.each([
    [{ version: 130014 }, "runs PostgreSQL 13; hango needs 14"],
    [{ encoding: "SQL_ASCII" }, "has the encoding SQL_ASCII"],
    [{ tables: 3 }, "npx hango migrate up --db postgres://h/d"],
  ])("on a server with %o is refused", async (facts, message) => {
    await expect(openDatabase("postgres://h/d", { pool: poolOf(facts) })).rejects.toThrow(message);
  });

  it.each([
    [{ datestyle: "SQL, DMY" }, "datestyle = 'ISO'"],
    [{ array_nulls: "off" }, "array_nulls = 'on'"],
    [{ row_security: "off" }, "row_security = 'on'"],
  ])("with the session's setting %o is refused with the command, where events were at 1970 or every call internal", async (facts, setting) => {
    await expect(openDatabase("postgres://h/d", { pool: poolOf(facts) })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining(`Run: alter role "app" set ${setting}`),
    });
  });

  it("with row_security off is open to a role that passes the policies", async () => {
    await openDatabase("postgres://h/d", { pool: poolOf({ row_security: "off", passes_policies: true }), rowLevelSecurity: false });
  });

  it("names the whole command, with the schema, where it named another schema's", async () => {
    const command = "npx hango migrate up --db postgres://h/d --schema other";
    const options = { schema: "other", pool: poolOf({ tables: 3 }) };
    await expect(openDatabase("postgres://h/d", options)).rejects.toThrow(command);
    await expect(openDatabase("postgres://h/d", { ...options, pool: poolOf({ forced: 3 }), rowLevelSecurity: true })).rejects.toThrow(command);
  });

  it("with synchronous_commit off warns that acknowledged writes can be lost, once", async () => {
    process.on("warning", listen);
    for (let round = 0; round < 2; round++) await openDatabase("postgres://h/d", { pool: poolOf({ synchronous_commit: "off" }) });
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings.map((warning) => [(warning as Error & { code?: string }).code, warning.message])).toEqual([
      ["HANGO_ASYNC_COMMIT", expect.stringContaining("postgres://h/d has synchronous_commit = off")],
    ]);
  });

  it.each([
    ["PostgreSQL 18.4 on x86_64", { treeLock: "advisory", regex: true }],
    ["PostgreSQL 15.2-YB-2025.1", { treeLock: "row", regex: true }],
    ["CockroachDB CCL v26.3", { treeLock: "row", regex: false }],
  ])("on %s takes the form of lock that holds there", async (product, capabilities) => {
    expect(driverOf(await openDatabase("postgres://h/d", { pool: poolOf({ product }) })).capabilities).toMatchObject(capabilities);
  });

  it.each([
    [{ rowLevelSecurity: "on" }, 'options.rowLevelSecurity is "on"; it must be true or false or "auto"'],
    [{ preparedStatements: "no" }, 'options.preparedStatements is "no"'],
    [{ migrate: "true" }, 'options.migrate is "true"'],
    [{ maxConnections: "3" }, 'options.maxConnections is "3"'],
    [{ maxConnection: 3 }, 'no option "maxConnection"'],
    [null, "must be an object"],
  ])("with %o is refused, where it was silently something else", async (options, message) => {
    await expect(openDatabase("postgres://h/d", options as DatabaseOptions)).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining(message),
    });
  });

  it("takes an option that is undefined as one that is left out", async () => {
    await openDatabase("postgres://h/d", { pool: poolOf({}), migrate: undefined, maxConnections: undefined } as unknown as DatabaseOptions);
  });

  it("on a server that takes the connection and never answers ends, where it hung", async () => {
    vi.useFakeTimers();
    try {
      const silent = { query: () => new Promise(() => undefined), release: () => undefined, on: () => undefined, removeListener: () => undefined };
      const opening = openDatabase("postgres://h/d", { pool: { ...poolOf({}), connect: async () => silent } });
      opening.catch(() => undefined);
      await vi.advanceTimersByTimeAsync(10_000);
      await expect(opening).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("does not answer") });
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([0, 1.5, Number.NaN])("with maxConnections %s is refused", async (maxConnections) => {
    await expect(openDatabase("postgres://h/d", { maxConnections })).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("takes a pool only where there is one, and driverOf only what openDatabase returned", async () => {
    await expect(openDatabase("postgres://h/d", { pool: poolOf({}), maxConnections: 3 })).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(openDatabase("postgres://h/d", { pool: {} })).rejects.toMatchObject({ code: "invalid_argument" });
    for (const options of [{ pool: poolOf({}) }, { maxConnections: 3 }, { preparedStatements: false }])
      await expect(openDatabase("pglite:", options)).rejects.toMatchObject({
        code: "invalid_argument",
        message: expect.stringContaining("belongs to postgres://"),
      });
    expect(() => driverOf({ close: async () => undefined })).toThrow("what openDatabase returned");
  });
});
