/** Who is asking: a key of ours or a token of the customer's identity provider, in `Authorization: Bearer …`. */
import { HangoError } from "hango";
import type { Authenticate, Principal, SignIn } from "hango/http";
import type { Tenancy } from "hango/postgres";
import { type Attempts, createAttempts } from "./attempts.ts";
import type { ReadToken } from "./jwt.ts";
import { currentRequest } from "./request-context.ts";

export interface Doorkeeper {
  readonly authenticate: Authenticate;
  /** The same bound holds for keys that are traded and for cookies. */
  readonly signIn: SignIn;
}

export interface DoorkeeperOptions {
  /** Absent: keys alone. */
  readonly readToken?: ReadToken;
  readonly attempts?: Attempts;
}

/** Three parts of base64url; keys of ours have no dot. */
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$/;
/** Longer than any key, any token that is read and any cookie. */
const MAX_CREDENTIAL_CHARS = 8_192;
/** Tenants of tokens that are known to exist, and for how long that is believed; one that is gone has nothing to see anyway. */
const TENANT_MEMORY_MS = 60_000;
const MAX_TENANTS = 10_000;

export function createDoorkeeper(tenancy: Tenancy, { readToken, attempts = createAttempts() }: DoorkeeperOptions = {}): Doorkeeper {
  const knownTenants = new Map<string, number>();

  async function tenantExists(tenantId: string): Promise<boolean> {
    if ((knownTenants.get(tenantId) ?? 0) > performance.now()) return true;
    if ((await tenancy.findTenant(tenantId)) === undefined) return false;
    if (knownTenants.size >= MAX_TENANTS) knownTenants.clear();
    knownTenants.set(tenantId, performance.now() + TENANT_MEMORY_MS);
    return true;
  }

  async function principalOf(credential: string): Promise<Principal | undefined> {
    if (readToken === undefined || !TOKEN.test(credential)) return tenancy.authenticate(credential);
    const principal = await readToken(credential);
    return principal !== undefined && (await tenantExists(principal.tenantId)) ? principal : undefined;
  }

  /** Looks a credential up unless its address was wrong too often. Errors: unavailable with `busy`, which is 429. */
  async function attempt<T>(credential: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const address = currentRequest()?.address ?? "";
    if (!attempts.mayTry(address, credential))
      throw new HangoError("unavailable", `Too many wrong keys came from this address; try again in ${attempts.retryAfter(address)} seconds.`, {
        details: { busy: "sign-in" },
      });
    // A token that is wrong now may be right in a moment, when its issuer's new keys are here.
    if (!TOKEN.test(credential) && attempts.isWrong(address, credential)) return undefined;
    const found = await look();
    if (found === undefined) attempts.failed(address, credential);
    else attempts.succeeded(credential);
    return found;
  }

  return {
    authenticate: async (request) => {
      const header = request.headers.get("authorization");
      // Nobody at all costs no look-up and is no wrong key.
      const credential = header === null ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
      if (credential === undefined || credential.length > MAX_CREDENTIAL_CHARS) return undefined;
      return known(await attempt(credential, () => principalOf(credential)));
    },
    signIn: {
      create: async (key) => {
        const signedIn = await attempt(key, () => tenancy.signIn.create(key));
        known(signedIn?.principal);
        return signedIn;
      },
      find: async (token) => known(await attempt(token, () => tenancy.signIn.find(token))),
      end: (token) => tenancy.signIn.end(token),
    },
  };
}

/** For the log's line of this request. */
function known(principal: Principal | undefined): Principal | undefined {
  const request = currentRequest();
  if (request !== undefined && principal !== undefined) request.principal = principal;
  return principal;
}
