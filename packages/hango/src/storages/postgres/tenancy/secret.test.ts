import { expect, it } from "vitest";
import { createSecret, parseSecret } from "./secret.ts";
import { NIL_ID } from "./tenant-scope.ts";

const tenantId = "0190b8c2-0000-7000-8000-00000000000a";

it("a key names its tenant, holds 256 random bits, and is never its own prefix or hash", () => {
  const { text, hash, prefix } = createSecret("key", tenantId);
  expect(text).toMatch(/^hango_0190b8c200007000800000000000000a_[A-Za-z0-9_-]{43}$/);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(text.startsWith(prefix)).toBe(true);
  expect(text.length - prefix.length).toBe(39);
  expect(parseSecret("key", text)).toEqual({ tenantId, hash });
  expect(createSecret("key", tenantId).text).not.toBe(text);
});

const key = createSecret("key", tenantId).text;
const token = createSecret("signIn", tenantId).text;

it.each([
  ["", "key"],
  ["hango_", "key"],
  [key.slice(0, -1), "key"],
  [`${key}a`, "key"],
  [`${key}\n`, "key"],
  [key.toUpperCase(), "key"],
  [` ${key}`, "key"],
  [token, "key"],
  [key, "signIn"],
] as const)("%j is no %s, and is looked up for nobody", (text, kind) => expect(parseSecret(kind, text)).toMatchObject({ tenantId: NIL_ID }));
