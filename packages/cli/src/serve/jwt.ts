/** Sign-in by a token of the customer's own identity provider. */
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { HangoError } from "hango";
import type { Principal, Role } from "hango/http";
import { idOf } from "../store.ts";
import type { JwtSettings } from "./settings.ts";

/** Only signatures that need no shared secret: a public key is never taken for an HMAC's, and "none" is none of them. */
const ALGORITHMS: readonly string[] = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
const ROLES: readonly Role[] = ["owner", "admin", "member"];
/** Characters of a token; identity providers' have one to four thousand. */
const MAX_TOKEN_CHARS = 8_192;
const MAX_SUBJECT_CHARS = 512;

export interface KeySetTimes {
  /** A key that is not known is asked for again at most this often. */
  readonly cooldownMs: number;
  /** Known keys are trusted for so long. */
  readonly cacheMs: number;
  readonly timeoutMs: number;
}

const times: KeySetTimes = { cooldownMs: 30_000, cacheMs: 600_000, timeoutMs: 5_000 };

/** Answers undefined for a token that is not good. Errors: unavailable when the keys can't be had. */
export type ReadToken = (token: string) => Promise<Principal | undefined>;

/** Makes the reader of tokens; the keys are fetched when the first token comes. */
export function createTokenReader({ issuer, audience, jwksUrl, claims, clockToleranceS }: JwtSettings, keySet: KeySetTimes = times): ReadToken {
  const keys = createRemoteJWKSet(jwksUrl, { cooldownDuration: keySet.cooldownMs, cacheMaxAge: keySet.cacheMs, timeoutDuration: keySet.timeoutMs });
  return async (token) => {
    if (token.length > MAX_TOKEN_CHARS) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: [...ALGORITHMS],
        clockTolerance: clockToleranceS,
        requiredClaims: ["exp"],
      });
      return await principalOf(payload, claims);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw new HangoError("unavailable", "The keys that tokens are checked with can't be fetched; retry in a moment.", { cause: error });
    }
  };
}

/** What jose says of the token; anything else is said of the way to the keys. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  // The base class itself is what a key server's bad answer becomes.
  return !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === errors.JOSEError.code);
}

async function principalOf(payload: JWTPayload, claims: JwtSettings["claims"]): Promise<Principal | undefined> {
  const tenant = ownClaim(payload, claims.tenant);
  const subject = ownClaim(payload, claims.subject);
  const role = roleOf(ownClaim(payload, claims.role));
  if (typeof tenant !== "string" || tenant === "" || tenant.length > MAX_SUBJECT_CHARS || !tenant.isWellFormed()) return undefined;
  if (typeof subject !== "string" || subject === "" || subject.length > MAX_SUBJECT_CHARS || !subject.isWellFormed() || subject.includes("\0"))
    return undefined;
  return role === undefined ? undefined : { tenantId: await idOf(tenant), subject, role };
}

function ownClaim(payload: JWTPayload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}

/** No role is the least one; of several the highest counts; a word that is no role of ours lets nobody in. */
function roleOf(claim: unknown): Role | undefined {
  if (claim === undefined) return "member";
  const given: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return ROLES.find((role) => given.includes(role));
}
