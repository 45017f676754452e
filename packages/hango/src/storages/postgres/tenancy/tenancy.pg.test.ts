import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentDirectory, AuditLog, SignIn } from "../../../tenancy.ts";
import { bytesOf, ENGINES, openSubject, type Subject } from "../../../../../../test/support/postgres-subject.ts";
import { NAMESPACE_TABLES, TENANCY_TABLES } from "../migrations/tables.ts";
import { type Tenancy, tenancyOver } from "./tenancy.ts";
import type { Principal, Role } from "../../../tenancy.ts";

/** What the files app takes is what is here. */
type Fits = readonly [AgentDirectory, Omit<AuditLog, "wait">, SignIn];
export const fits = ({ agents, audit, signIn }: Tenancy): Fits => [agents, audit, signIn];

describe.each(ENGINES)("tenancy on %s", (engine) => {
  let subject: Subject;
  let tenancy: Tenancy;
  beforeAll(async () => {
    subject = await openSubject(engine, { server: true });
    tenancy = tenancyOver(subject.driver);
  });
  afterAll(() => subject.close());

  /** A tenant with two agents, each with files, a session, events, and a key that signed in. */
  async function filledTenant(): Promise<{
    readonly tenantId: string;
    readonly agents: readonly string[];
    readonly key: string;
    readonly keyId: string;
    readonly token: string;
  }> {
    const { id: tenantId } = await tenancy.createTenant({ name: "acme" });
    const agents: string[] = [];
    for (const name of ["one", "two"]) {
      const { id: agentId } = await tenancy.createAgent(tenantId, { name, createdBy: `by ${name}` });
      agents.push(agentId);
      const namespace = { tenantId, agentId };
      const files = subject.storage.scope(namespace);
      for (const path of ["a", "b/c"]) await files.write(path, bytesOf(path));
      await subject.query(`insert into hango.agent_trees (tenant_id, agent_id) values ($1::uuid, $2::uuid)`, [tenantId, agentId]);
      await tenancy.createSession(namespace, { name: "first", createdBy: "ann" });
    }
    const { id: keyId, key } = await tenancy.createKey(tenantId, { subject: "ann", role: "owner" });
    const signedIn = await tenancy.signIn.create(key);
    return { tenantId, agents, key, keyId, token: signedIn?.token ?? "" };
  }

  /** Rows of every table by tenant and, where there is one, agent. */
  async function counts(): Promise<Record<string, number>> {
    const all: Record<string, number> = {};
    for (const table of [...NAMESPACE_TABLES, ...TENANCY_TABLES]) {
      const agent = ["tenants", "api_keys", "sign_ins"].includes(table) ? "''" : "agent_id::text";
      for (const row of await subject.query(`select tenant_id::text as t, ${agent} as a, count(*)::int as n from hango.${table} group by 1, 2`))
        all[`${table} ${String(row["t"])} ${String(row["a"])}`] = Number(row["n"]);
    }
    return all;
  }
  const without = (all: Record<string, number>, gone: (key: string) => boolean): Record<string, number> =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !gone(key)));

  it("deleting an agent takes its files, usage, sessions and record along, and nothing else", async () => {
    const [mine] = [await filledTenant(), await filledTenant()];
    const [agentId = ""] = mine.agents;
    const before = await counts();
    expect(Object.keys(before).filter((key) => key.endsWith(` ${agentId}`))).toHaveLength(NAMESPACE_TABLES.length + 2);
    expect(await tenancy.deleteAgent({ tenantId: mine.tenantId, agentId })).toEqual({ files: 2, bytes: 4 });
    const after = await counts();
    const gone = (key: string): boolean => key.endsWith(` ${agentId}`);
    expect(after).toEqual({
      ...without(before, gone),
    });
    expect(Object.keys(after).filter(gone)).toEqual([]);
    await expect(tenancy.deleteAgent({ tenantId: mine.tenantId, agentId })).rejects.toMatchObject({ code: "not_found" });
  });

  it("an agent deleted under sixteen writers leaves nothing behind, and no writer meets another error than that it is gone", async () => {
    const { tenantId, agents } = await filledTenant();
    const namespace = { tenantId, agentId: agents[0] ?? "" };
    const files = subject.storage.scope(namespace);
    const codes = new Set<unknown>();
    const writers = Array.from({ length: 16 }, async (_, number) => {
      for (let round = 0; round < 6; round++)
        await files.write(`f${(number + round) % 9}`, bytesOf(`${number}`)).catch((error: unknown) => codes.add((error as { readonly code?: unknown }).code));
    });
    await tenancy.deleteAgent(namespace);
    await Promise.all(writers);
    expect([...codes].filter((code) => code !== "invalid_argument")).toEqual([]);
    expect(Object.keys(await counts()).filter((key) => key.endsWith(` ${namespace.agentId}`))).toEqual([]);
  });

  it("deleting a tenant takes all of its own, and nothing else; its key and sign-in open nothing", async () => {
    const [mine, other] = [await filledTenant(), await filledTenant()];
    const before = await counts();
    expect(await tenancy.deleteTenant(mine.tenantId)).toEqual({ agents: 2, files: 4, bytes: 8 });
    expect(await counts()).toEqual(without(before, (key) => key.includes(` ${mine.tenantId} `)));
    expect(await tenancy.authenticate(mine.key)).toBeUndefined();
    expect(await tenancy.signIn.find(mine.token)).toBeUndefined();
    expect(await tenancy.authenticate(other.key)).toBeDefined();
    await expect(tenancy.deleteTenant(mine.tenantId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("an agent of a tenant that does not exist, and a file of an agent that does not, are refused", async () => {
    await expect(tenancy.createAgent(randomUUID(), { name: "x", createdBy: "ann" })).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(subject.storage.scope(subject.namespace()).write("a", bytesOf("a"))).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("not registered") as string,
    });
  });

  it("what exists already is told so, and is left as it was", async () => {
    const tenant = await tenancy.createTenant({ name: "first" });
    await expect(tenancy.createTenant({ id: tenant.id, name: "second" })).rejects.toMatchObject({ code: "already_exists" });
    expect(await tenancy.findTenant(tenant.id)).toEqual(tenant);
    const agent = await tenancy.createAgent(tenant.id, { name: "a", createdBy: "ann" });
    await expect(tenancy.createAgent(tenant.id, { ...agent, name: "b" })).rejects.toMatchObject({ code: "already_exists" });
    const session = await tenancy.createSession({ tenantId: tenant.id, agentId: agent.id }, { createdBy: "ann" });
    await expect(tenancy.createSession({ tenantId: tenant.id, agentId: agent.id }, { ...session, name: "b" })).rejects.toMatchObject({
      code: "already_exists",
    });
    // The same agent id in another tenant is another agent.
    const elsewhere = await tenancy.createTenant({ name: "elsewhere" });
    expect((await tenancy.createAgent(elsewhere.id, { id: agent.id, name: "c", createdBy: "bob" })).tenantId).toBe(elsewhere.id);
  });

  it.each(["", " ", "a\nb", "a\u202eb", "a\u0000", "x".repeat(201)])("%j is no name", async (name) => {
    await expect(tenancy.createTenant({ name })).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("a key is told once and only its hash is kept; revoked, expired, foreign or misspelled it opens nothing", async () => {
    const { id: tenantId } = await tenancy.createTenant({ name: "keys" });
    const made = await tenancy.createKey(tenantId, { subject: "ann", role: "admin" });
    expect(await tenancy.authenticate(made.key)).toEqual({ tenantId, subject: "ann", role: "admin" });
    const stored = JSON.stringify(await subject.query("select * from hango.api_keys where tenant_id = $1::uuid", [tenantId]));
    expect(stored).not.toContain(made.key);
    expect(stored).toContain(made.prefix);
    const [listed] = await tenancy.listKeys(tenantId, { limit: 10 });
    expect(listed).toEqual((({ key: _key, ...row }) => row)(made));
    const last = made.key.endsWith("A") ? "B" : "A";
    for (const wrong of ["", "hango_", made.key.slice(0, -1) + last, made.prefix, `${made.key} `]) expect(await tenancy.authenticate(wrong)).toBeUndefined();

    const brief = await tenancy.createKey(tenantId, { subject: "bob", role: "member", expiresAt: new Date(Date.now() + 3_600_000) });
    expect(await tenancy.authenticate(brief.key)).toBeDefined();
    const signedIn = await tenancy.signIn.create(brief.key);
    expect(signedIn?.expiresAt).toEqual(brief.expiresAt);
    await subject.query("update hango.api_keys set expires_at = now() - interval '1 second' where key_id = $1::uuid", [brief.id]);
    expect([await tenancy.authenticate(brief.key), await tenancy.signIn.find(signedIn?.token ?? ""), await tenancy.signIn.create(brief.key)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await expect(tenancy.createKey(tenantId, { id: made.id, subject: "eve", role: "owner" })).rejects.toMatchObject({ code: "already_exists" });
    expect(await tenancy.authenticate(made.key)).toEqual({ tenantId, subject: "ann", role: "admin" });
    await expect(tenancy.createKey(tenantId, { subject: "eve", role: "root" as Role })).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(tenancy.createKey(tenantId, { subject: "eve", role: "owner", expiresAt: new Date(0) })).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("a sign-in dies with its key, at once, and with its end", async () => {
    const { tenantId, key, keyId, token } = await filledTenant();
    const who = { tenantId, subject: "ann", role: "owner" };
    expect(await tenancy.signIn.find(token)).toEqual(who);
    const second = await tenancy.signIn.create(key);
    await tenancy.signIn.end(second?.token ?? "");
    expect(await tenancy.signIn.find(second?.token ?? "")).toBeUndefined();
    expect(await tenancy.signIn.find(token)).toEqual(who);
    const revoked = await tenancy.revokeKey(tenantId, keyId);
    expect(revoked.revokedAt).toBeInstanceOf(Date);
    expect([await tenancy.authenticate(key), await tenancy.signIn.find(token), await tenancy.signIn.create(key)]).toEqual([undefined, undefined, undefined]);
    expect(await subject.query("select hash from hango.sign_ins where tenant_id = $1::uuid", [tenantId])).toEqual([]);
    expect((await tenancy.revokeKey(tenantId, keyId)).revokedAt).toEqual(revoked.revokedAt);
    const other = await tenancy.createTenant({ name: "other" });
    await expect(tenancy.revokeKey(other.id, keyId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("a member sees the agents it created, owner and admin all of the tenant, and nobody another tenant's", async () => {
    const [mine, other] = [await filledTenant(), await filledTenant()];
    const [one = "", two = ""] = mine.agents;
    const as = (role: Role, name: string, tenantId: string = mine.tenantId): Principal => ({ tenantId, subject: name, role });
    const seen = async (who: Principal): Promise<readonly string[]> => (await tenancy.agents.list(who, { limit: 10 })).map(({ id }) => id);
    expect(await seen(as("owner", "x"))).toEqual([one, two].toSorted());
    expect(await seen(as("admin", "x"))).toEqual([one, two].toSorted());
    expect(await seen(as("member", "by one"))).toEqual([one]);
    expect(await seen(as("member", "x"))).toEqual([]);
    const found = async (who: Principal, id: string): Promise<boolean> => (await tenancy.agents.find(who, id)) !== undefined;
    expect(await found(as("member", "by one"), one)).toBe(true);
    expect(await found(as("member", "by one"), one.toUpperCase())).toBe(true);
    expect(await found(as("member", "by one"), two)).toBe(false);
    expect(await found(as("owner", "by one", other.tenantId), one)).toBe(false);
    for (const id of ["", "x", "..", randomUUID(), `${one} `, other.agents[0] ?? ""]) expect(await found(as("owner", "x"), id)).toBe(false);
    expect(await seen(as("owner", "x", "no-uuid"))).toEqual([]);
  });

  it("pages go on after the last row, in order of ids", async () => {
    const { id: tenantId } = await tenancy.createTenant({ name: "pages" });
    const ids: string[] = [];
    for (let made = 0; made < 5; made++) ids.push((await tenancy.createAgent(tenantId, { name: "a", createdBy: "ann" })).id);
    const owner: Principal = { tenantId, subject: "ann", role: "owner" };
    const first = await tenancy.agents.list(owner, { limit: 2 });
    const rest = await tenancy.agents.list(owner, { limit: 1_000, after: first[1]?.id ?? "" });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids);
    for (const limit of [0, 1_001, 1.5]) await expect(tenancy.agents.list(owner, { limit })).rejects.toMatchObject({ code: "invalid_argument" });
    expect((await tenancy.listTenants({ limit: 1_000 })).some(({ id }) => id === tenantId)).toBe(true);
  });

  it("a member sees the sessions it made, before the limit: the last row of a page named another's", async () => {
    const { id: tenantId } = await tenancy.createTenant({ name: "whose sessions" });
    const agent = await tenancy.createAgent(tenantId, { name: "a", createdBy: "ann" });
    const made: string[] = [];
    for (const createdBy of ["ann", "bob", "bob", "ann"]) made.push((await tenancy.createSession({ tenantId, agentId: agent.id }, { createdBy })).id);
    const seen = async (role: Principal["role"], limit: number): Promise<readonly string[]> =>
      (await tenancy.agents.sessions({ tenantId, subject: "ann", role }, agent, { limit })).map(({ id }) => id);
    expect(await seen("member", 2)).toEqual([made[0], made[3]]);
    expect(await seen("admin", 4)).toEqual(made);
    const find = (role: Principal["role"]): Promise<unknown> => tenancy.agents.session({ tenantId, subject: "ann", role }, agent, made[1] ?? "");
    expect([await find("member"), await find("owner")]).toEqual([undefined, expect.objectContaining({ id: made[1] })]);
  });

  it("sessions are an agent's: found by its own id only, and forgotten once", async () => {
    const { tenantId, agents } = await filledTenant();
    const owner: Principal = { tenantId, subject: "x", role: "owner" };
    const [one, two] = await tenancy.agents.list(owner, { limit: 2 });
    if (one === undefined || two === undefined) throw new Error("two agents were made");
    const [session] = await tenancy.agents.sessions(owner, one, { limit: 10 });
    expect(session).toMatchObject({ agentId: one.id, name: "first", createdBy: "ann" });
    expect(await tenancy.agents.session(owner, one, session?.id ?? "")).toEqual(session);
    expect(await tenancy.agents.session(owner, two, session?.id ?? "")).toBeUndefined();
    for (const id of ["", "..", randomUUID()]) expect(await tenancy.agents.session(owner, one, id)).toBeUndefined();
    expect(agents).toContain(one.id);
    const namespace = { tenantId, agentId: one.id };
    expect([await tenancy.deleteSession(namespace, session?.id ?? ""), await tenancy.deleteSession(namespace, session?.id ?? "")]).toEqual([true, false]);
  });
});
