import { describe, expect, it } from "vitest";
import { isChange } from "../driver/pglite.ts";
import { allStatements } from "./all-statements.ts";
import { keyAfter } from "./key-range.ts";
import { bind, numbered } from "./statement.ts";
import { expectedRow } from "./version.ts";

const statements = [...allStatements("hango")];
const count = (text: string, pattern: RegExp): number => (text.match(pattern) ?? []).length;

describe("the statements", () => {
  it.each(statements)("%s carries tenant and agent", (_name, { text, names }) => {
    expect(text).toMatch(/tenant_id/);
    expect(text).toMatch(/agent_id/);
    expect(names).toEqual(expect.arrayContaining(["tenant", "agent"]));
  });

  it.each(statements)("%s scopes each use of a table", (_name, { text }) => {
    const uses = count(text, /(?:from|update|join|into) "hango"\.\w+/g);
    expect(count(text, /tenant_id = \$\d+::uuid/g) + count(text, /\(tenant_id, |\(id, tenant_id, /g)).toBeGreaterThanOrEqual(uses);
  });

  it.each(statements)("%s qualifies each table", (_name, { text }) => {
    expect(text).not.toMatch(/(?<!\.)\b(?:agent_files|agent_usage|agent_trees|audit_events)\b/);
  });

  it.each(statements)("%s has nothing that is quadratic, depends on the locale, or ties it to one connection", (_name, { text }) => {
    expect(text).not.toMatch(/\b(?:like|ilike|similar|nextval|regexp_\w+|pg_advisory_lock)\b|~\*|\\[ywsd]/i);
    expect(text).not.toMatch(/\bset\s+(?:local|session|search_path)/i);
    // The one replace has constant needles; position only ever gets the required text, of at most 64 characters, inside a CASE.
    expect(text.replaceAll(/replace\([\w.]+, chr\(13\) \|\| chr\(10\), chr\(10\)\)/g, "")).not.toMatch(/\breplace\(/);
    const required = /when \$\d+::(?:text is null or|boolean then) position\(\$(\d+)::text in [\w.]+\)/g;
    expect(new Set([...text.matchAll(required)].map(([, place]) => place)).size).toBeLessThanOrEqual(1);
    expect(text.replaceAll(required, "")).not.toMatch(/\b(?:position|strpos)\((?!substr)/);
  });

  it("are told apart by their texts: those that change something and those that only read", () => {
    const changing = statements.filter(([, { text }]) => isChange(text)).map(([name]) => name);
    expect(changing).toEqual([
      "apply:few",
      "apply:many",
      "create",
      "delete",
      "erase:files",
      "erase:usage",
      "erase:events",
      "load",
      "load:usage",
      "prune",
      "record",
      "setQuota",
      "update",
      "lock:row",
      "lock:hold",
    ]);
  });

  it("quotes a schema's name", () => {
    expect(allStatements('a"b').get("read")?.text).toContain('"a""b".agent_files');
  });
});

describe("numbered places", () => {
  it("gives each name one number, and each value its place", () => {
    const sql = numbered("select $b::int, $a, $b");
    expect(sql.text).toBe("select $1::int, $2, $1");
    expect(bind(sql, { a: "x", b: 2 }).values).toEqual([2, "x"]);
    expect(() => bind(sql, { a: "x" })).toThrow("$b");
  });
});

describe("keyAfter", () => {
  it.each([
    ["/a", "/b"],
    ["/docs/", "/docs0"],
    ["/", "0"],
    ["/\u{10ffff}", "0"],
    ["/a\u{10ffff}", "/b"],
    ["/\ud7ff", "/\ue000"],
    ["/é", "/ê"],
  ])("of %j is %j", (head, after) => expect(keyAfter(head)).toBe(after));
});

describe("a version", () => {
  const id = "0190b8c2-0000-7000-8000-000000000001";
  it("is read back, and one of another storage matches nothing", () => {
    expect(expectedRow(`${id}.7`)).toEqual({ id, version: 7 });
    expect(expectedRow(`${id}.2147483647`).version).toBe(2_147_483_647);
    for (const foreign of [`${id}.2147483648`, `${id}.0`, `${id}.07`, id, `${id.toUpperCase()}.7`, "7", "no-such-version.1"])
      expect(expectedRow(foreign).version).toBe(0);
  });
});
