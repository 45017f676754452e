import type { DatabaseReport } from "hango/postgres";
import { describe, expect, it } from "vitest";
import { type DatabaseFacts, databaseChecks } from "./database-checks.ts";

const healthy: DatabaseReport = {
  product: "PostgreSQL 18.4 on x86_64",
  version: 180_004,
  encoding: "UTF8",
  role: "app",
  superuser: false,
  passesPolicies: false,
  ownsTables: false,
  mayReadAndWrite: true,
  readOnly: false,
  settings: new Map([
    ["synchronous_commit", "on"],
    ["statement_timeout", "0"],
    ["default_toast_compression", "pglz"],
    ["max_connections", "100"],
    ["datestyle", "ISO, MDY"],
    ["array_nulls", "on"],
    ["row_security", "on"],
  ]),
  hasLz4: true,
  contentCompression: "l",
  backendChanges: false,
  connections: 3,
  tables: 4,
  tablesExpected: 4,
  forced: 4,
  missing: [],
};
const factsOf = (change: Partial<DatabaseReport>, url = "postgres://app@db.example.com/x"): DatabaseFacts => ({
  report: { ...healthy, ...change },
  url,
  schema: "hango",
  migrate: "npx hango migrate up --db …",
});
const setting = (name: string, value: string): Partial<DatabaseReport> => ({ settings: new Map([...healthy.settings, [name, value]]) });

describe("doctor's checks of a database", () => {
  it("are all ok for a healthy one, on a server and in PGlite", () => {
    expect(databaseChecks(factsOf({})).filter(({ state }) => state !== "ok")).toEqual([]);
    expect(databaseChecks(factsOf({ superuser: true, passesPolicies: true }, "pglite:./x")).filter(({ state }) => state !== "ok")).toEqual([]);
  });

  it.each<readonly [Partial<DatabaseReport>, string, "warn" | "bad"]>([
    [{ version: 130_000 }, "server", "bad"],
    [{ encoding: "SQL_ASCII" }, "encoding", "bad"],
    [{ tables: 0, missing: ["001-files"] }, "schema", "bad"],
    [{ missing: ["003-row-level-security"] }, "schema", "bad"],
    [{ missing: undefined, tables: 3 }, "schema", "bad"],
    [setting("datestyle", "German"), "datestyle", "bad"],
    [setting("array_nulls", "off"), "array_nulls", "bad"],
    [setting("row_security", "off"), "row_security", "bad"],
    [{ contentCompression: "p" }, "compression", "warn"],
    [{ readOnly: true }, "writing", "bad"],
    [{ mayReadAndWrite: false }, "role", "bad"],
    [{ passesPolicies: true }, "row-level security", "warn"],
    [{ forced: 3 }, "row-level security", "bad"],
    [setting("synchronous_commit", "off"), "synchronous_commit", "warn"],
    [setting("statement_timeout", "9999ms"), "statement_timeout", "warn"],
    [{ connections: 81 }, "connections", "warn"],
  ])("%j: %s is %s, with what to do", (change, name, state) => {
    const found = databaseChecks(factsOf(change)).filter((check) => check.state !== "ok");
    expect(found).toMatchObject([{ name, state, advice: expect.stringMatching(/\S/) as unknown }]);
  });

  it.each(["10s", "1min", "2h"])("a statement_timeout of %s is long enough", (value) =>
    expect(databaseChecks(factsOf(setting("statement_timeout", value))).every(({ state }) => state === "ok")).toBe(true),
  );

  it.each<readonly [Partial<DatabaseReport>, string, RegExp]>([
    [{}, "postgres://a@h:5432/x", /none seen/],
    [{}, "postgres://a@h:6432/x", /port 6432/],
    [{}, "postgres://a@ep-x-pooler.example.com/x", /called ep-x-pooler/],
    [{ backendChanges: true }, "postgres://a@h/x", /different server processes/],
  ])("a pooler is guessed from %j and %s", (change, url, text) =>
    expect(databaseChecks(factsOf(change, url)).find(({ name }) => name === "pooler")?.found).toMatch(text),
  );

  it("a server without LZ4 is no fault", () => {
    expect(databaseChecks(factsOf({ contentCompression: "p", hasLz4: false })).every(({ state }) => state === "ok")).toBe(true);
  });
});
