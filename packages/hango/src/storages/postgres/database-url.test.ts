import { describe, expect, it } from "vitest";
import { migrateCommand, parseDatabaseUrl, parseSchema, shownUrl } from "./database-url.ts";

describe("a database's URL", () => {
  it.each([
    ["postgres://u:p@h:1/d", { kind: "postgres", url: "postgres://u:p@h:1/d" }],
    ["postgresql://h/d", { kind: "postgres", url: "postgresql://h/d" }],
    ["postgres:///d?host=/tmp", { kind: "postgres", url: "postgres:///d?host=/tmp" }],
    ["pglite:", { kind: "pglite", path: "" }],
    ["pglite:./data", { kind: "pglite", path: "./data" }],
    ["pglite:/var/data", { kind: "pglite", path: "/var/data" }],
  ] as const)("%s is understood", (url, target) => {
    expect(parseDatabaseUrl(url)).toEqual(target);
  });

  it.each([
    "",
    "mysql://u:s3cret@h/d",
    "pglite",
    "pglite://data",
    "pglite:memory://",
    "pglite:file:///tmp/data",
    "./data",
    "postgres:h",
    "postgres://u:s3cret@h:port/d",
    undefined as unknown as string,
  ])("%s is refused, naming the three forms", (url) => {
    expect(() => parseDatabaseUrl(url)).toThrow(
      expect.objectContaining({ code: "invalid_argument", message: expect.stringMatching(/postgres:\/\/.*pglite:\.\/directory.*pglite: /) }) as Error,
    );
    expect(() => parseDatabaseUrl(url)).not.toThrow(/s3cret/);
  });

  it.each([
    ["postgres://u:s3cret@h:1/d?sslpassword=s3cret", "postgres://u@h:1/d"],
    ["postgresql://h/d", "postgresql://h/d"],
    ["pglite:./data", "pglite:./data"],
  ])("%s is shown as %s", (url, shown) => {
    expect(shownUrl(parseDatabaseUrl(url))).toBe(shown);
  });

  it("with a schema in it is refused, where the schema was ignored and the default's tables were used", () => {
    expect(() => parseDatabaseUrl("postgres://u:s3cret@h/d?sslmode=require&schema=other")).toThrow(/options\.schema/);
  });

  it.each([
    ["postgres://u:s3cret@h:1/d", "hango", "postgres://u@h:1/d"],
    ["postgres://h/d", "other", "postgres://h/d --schema other"],
    ["pglite:./my data's", "other", String.raw`'pglite:./my data'\''s' --schema other`],
  ])("%s with the schema %s is migrated by a command with %s", (url, schema, rest) => {
    expect(migrateCommand(parseDatabaseUrl(url), schema)).toBe(`npx hango migrate up --db ${rest}`);
  });
});

it.each(["Hango", "a-b", 'a"b', "pg_x", "", "1a", "a".repeat(64), "information_schema", null as unknown as string])(
  "the schema name %s is refused",
  (schema) => {
    expect(() => parseSchema(schema)).toThrow(expect.objectContaining({ code: "invalid_argument" }) as Error);
  },
);

it("a plain schema name is taken, up to 63 characters", () => {
  expect([parseSchema(), parseSchema("files_2"), parseSchema("a".repeat(63))]).toEqual(["hango", "files_2", "a".repeat(63)]);
});
