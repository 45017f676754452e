/** Keys and sign-in tokens: random text that names its tenant, of which only the hash is ever stored. */
import { sha256Hex } from "../../../path/sha256.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import { NIL_ID } from "./tenant-scope.ts";

export type SecretKind = "key" | "signIn";

const HEADS: Readonly<Record<SecretKind, string>> = { key: "hango_", signIn: "hangosi_" };
/** 256 bits. */
const SECRET_BYTES = 32;
/** Of a key as it is listed: enough to tell one from another, nothing to guess the rest by. */
const SHOWN_SECRET_CHARS = 4;

export interface NewSecret {
  /** Shown once. Charset: `[A-Za-z0-9_-]`. */
  readonly text: string;
  readonly hash: string;
  readonly prefix: string;
}

/** What stands in the text: whose it is, which the row is looked up by, and the hash. */
export interface ParsedSecret {
  readonly tenantId: string;
  readonly hash: string;
}

/** "hango_", the tenant's 32 digits, "_", 43 random characters. */
export function createSecret(kind: SecretKind, tenantId: string): NewSecret {
  const head = `${HEADS[kind]}${tenantId.replaceAll("-", "")}_`;
  const text = head + base64Url(globalThis.crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  return { text, hash: hashOf(text), prefix: text.slice(0, head.length + SHOWN_SECRET_CHARS) };
}

/** What is no such text is looked up all the same, for a tenant that nobody is, so that it takes as long as one that is unknown. */
export function parseSecret(kind: SecretKind, text: string): ParsedSecret {
  const digits = new RegExp(`^${HEADS[kind]}([0-9a-f]{32})_[A-Za-z0-9_-]{43}$`).exec(text)?.[1];
  if (digits === undefined) return { tenantId: NIL_ID, hash: hashOf("") };
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(digits) ?? [];
  return { tenantId: parts.join("-"), hash: hashOf(text) };
}

function hashOf(text: string): string {
  return sha256Hex(encodeUtf8(text));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
