import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uuidFor } from "hango";
import { createTokenReader, type ReadToken } from "./jwt.ts";

const issuer = "https://id.example.com/";
const audience = "hango";
const tenantId = "3a5759bb-1406-42ac-b1d8-82d3f3c99058";
const claims = { tenant: "org_id", subject: "sub", role: "https://example.com/role" };

interface Signer {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function createSigner(kid: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
}

describe("a token of another identity provider", () => {
  let server: Server;
  let [published, answers]: [JWK[], number] = [[], 0];
  let status = 200;
  let [first, second]: Signer[] = [];
  let read: ReadToken;

  const reader = (cooldownMs = 0): ReadToken =>
    createTokenReader(
      { issuer, audience, claims, clockToleranceS: 5, jwksUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`) },
      { cooldownMs, cacheMs: 600_000, timeoutMs: 2_000 },
    );
  const payload = { org_id: tenantId, sub: "ada", "https://example.com/role": "admin" };
  const token = (changes: Readonly<Record<string, unknown>> = {}, signer: Signer | undefined = first): Promise<string> => {
    if (signer === undefined) throw new Error("no signer");
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({ ...payload, iss: issuer, aud: audience, iat: now, exp: now + 60, ...changes })
      .setProtectedHeader({ alg: "ES256", kid: signer.kid })
      .sign(signer.privateKey);
  };

  beforeAll(async () => {
    [first, second] = [await createSigner("one"), await createSigner("two")];
    published = [first.jwk];
    server = createServer((_, answer) => {
      answers += 1;
      answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ keys: published }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    read = reader();
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it("says tenant, subject and role", async () => {
    expect(await read(await token())).toEqual({ tenantId, subject: "ada", role: "admin" });
  });

  it("fetches the keys once for many tokens", async () => {
    const own = reader();
    const before = answers;
    await Promise.all(Array.from({ length: 20 }, async () => own(await token())));
    expect(answers - before).toBe(1);
  });

  it("is no one without a role but the least of them, and of several roles the highest", async () => {
    const withRole = async (role: unknown): Promise<string | undefined> => (await read(await token({ "https://example.com/role": role })))?.role;
    expect([await withRole(undefined), await withRole(["viewer", "member", "owner"]), await withRole("superuser"), await withRole([])]).toEqual([
      "member",
      "owner",
      undefined,
      undefined,
    ]);
  });

  it("may name its tenant by another id, which stands for the same UUID everywhere", async () => {
    expect((await read(await token({ org_id: "org_2ab" })))?.tenantId).toBe(uuidFor("org_2ab"));
  });

  const now = (): number => Math.floor(Date.now() / 1_000);
  it.each<[string, () => Promise<string>]>([
    ["has expired", () => token({ exp: now() - 6 })],
    ["never expires", () => token({ exp: undefined })],
    ["is not good yet", () => token({ nbf: now() + 60 })],
    ["is for another audience", () => token({ aud: "billing" })],
    ["comes from another issuer", () => token({ iss: "https://evil.example.com/" })],
    ["has no tenant", () => token({ org_id: undefined })],
    ["has a tenant that is no text", () => token({ org_id: 7 })],
    ["has no subject", () => token({ sub: undefined })],
    ["has an empty subject", () => token({ sub: "" })],
    ["has a subject with NUL, which no row can hold", () => token({ sub: "a\0b" })],
    ["has a subject that is too long", () => token({ sub: "a".repeat(513) })],
    ["is not signed (alg none)", async () => new UnsecuredJWT({ ...payload, exp: now() + 60 }).setIssuer(issuer).setAudience(audience).encode()],
    [
      "is signed with the public key as a shared secret (HS256)",
      () => {
        const secret = new TextEncoder().encode(JSON.stringify(first?.jwk).padEnd(64));
        return new SignJWT({ ...payload, iss: issuer, aud: audience, exp: now() + 60 }).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(secret);
      },
    ],
    ["is signed by a key that is not published", () => token({}, second)],
    ["claims a published key's id but another signed it", async () => token({}, { kid: "one", privateKey: (await createSigner("one")).privateKey, jwk: {} })],
    ["was changed", async () => `${(await token()).slice(0, -4)}AAAA`],
    ["is no token", async () => "a.b.c"],
    ["is longer than any", async () => `${"a".repeat(8_193)}.b.c`],
  ])("lets nobody in when it %s", async (_, make) => {
    expect(await read(await make())).toBeUndefined();
  });

  it("that expired within the tolerance of clocks is still good", async () => {
    expect(await read(await token({ exp: now() - 3 }))).toBeDefined();
  });

  it("signed by a key that was published after the last fetch is good: the keys are fetched again", async () => {
    const own = reader();
    await own(await token());
    published = second === undefined ? [] : [second.jwk];
    try {
      expect(await own(await token({}, second))).toMatchObject({ subject: "ada" });
      expect(await own(await token({}, first))).toBeUndefined();
    } finally {
      published = first === undefined ? [] : [first.jwk];
    }
  });

  it("with an unknown key does not make the keys be fetched each time", async () => {
    const own = reader(60_000);
    await own(await token());
    const before = answers;
    for (let tries = 0; tries < 10; tries++) expect(await own(await token({}, second))).toBeUndefined();
    expect(answers - before).toBe(0);
  });

  it("is neither good nor bad while the keys can't be had: unavailable, not 401", async () => {
    const own = reader();
    status = 500;
    try {
      await expect(own(await token())).rejects.toMatchObject({ code: "unavailable" });
    } finally {
      status = 200;
    }
    expect(await own(await token())).toBeDefined();
  });
});
