import { describe, expect, it } from "vitest";
import { EVERY_TENANT, tenancyStatements } from "./all-statements.ts";

const statements = [...tenancyStatements("hango")];
const scoped = statements.filter(([name]) => name !== EVERY_TENANT);
const count = (text: string, pattern: RegExp): number => (text.match(pattern) ?? []).length;

describe("tenancy's statements", () => {
  it.each(scoped)("%s carries the tenant at each use of a table", (_name, { text, names }) => {
    expect(names).toContain("tenant");
    const uses = count(text, /(?:from|update|join|into) "hango"\.\w+/g);
    expect(count(text, /tenant_id = \$\d+::uuid/g) + count(text, /\(tenant_id, /g)).toBeGreaterThanOrEqual(uses);
  });

  it.each(statements)("%s qualifies each table and has nothing quadratic or of the locale", (_name, { text }) => {
    expect(text).not.toMatch(/(?<!\.)\b(?:tenants|agents|agent_sessions|api_keys|sign_ins|audit_events|agent_usage)\b(?=[\s(]+(?:where|set|\(|using|as))/);
    expect(text).not.toMatch(/\b(?:like|ilike|similar|nextval|regexp_\w+|pg_advisory_lock)\b|~\*/i);
  });

  it("but one: the list of tenants, which a policy of its own shows ids and names", () => {
    expect(statements.find(([name]) => name === EVERY_TENANT)?.[1].text).toBe(
      'select tenant_id as id, name, created_at from "hango".tenants where tenant_id > $1::uuid order by tenant_id limit $2::int',
    );
  });
});
