/** A page trades its key for a cookie that no script can read. */
import { z } from "zod";
import { HangoError } from "../../errors.ts";
import { sha256Hex } from "../../path/sha256.ts";
import { decodeText, encodeUtf8 } from "../../text/utf8.ts";
import { readBody } from "../body.ts";
import type { SignIn } from "../../tenancy.ts";
import { cookieName, cookieToken, isSecure, type Call, type Door } from "../door.ts";
import { httpRefusal } from "../problem.ts";
import { jsonResponse, type Route } from "../route.ts";
import { isSameOrigin } from "../same-origin.ts";

const MAX_BODY_BYTES = 4_096;
const MAX_KEY_CHARS = 512;

const body = z.strictObject({ key: z.string().min(1).max(MAX_KEY_CHARS) });

export function signInRoutes(door: Door, signIn: SignIn): readonly Route[] {
  const cookie = (request: Request, token: string, maxAge: number): string =>
    `${cookieName(door, request)}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure(door, request) ? "; Secure" : ""}`;

  return [
    {
      method: "post",
      path: "/v1/sign-in",
      needs: "nobody",
      summary: 'Trade a key, as { "key": "…" }, for a cookie',
      body: { contentType: "application/json", schema: body },
      answers: { 200: "Signed in; the cookie lives no longer than the key", 401: "That key does not work", 403: "From another site's page", 415: "Not JSON" },
      handle: async ({ request }: Call) => {
        checkOrigin(request);
        const key = await keyOf(request);
        const who = sha256Hex(encodeUtf8(key));
        door.rates.signIns.check(who, "Too many sign-ins with this key");
        const signed = await signIn.create(key);
        if (signed === undefined) throw httpRefusal(401, "unauthorized", "That key does not work. Check for a missing character.");
        door.rates.signIns.count(who);
        const { tenantId, subject, role } = signed.principal;
        const seconds = Math.max(0, Math.floor((signed.expiresAt.getTime() - Date.now()) / 1000));
        return jsonResponse({ tenantId, subject, role, expiresAt: signed.expiresAt }, { headers: { "set-cookie": cookie(request, signed.token, seconds) } });
      },
    },
    {
      method: "delete",
      path: "/v1/sign-in",
      needs: "nobody",
      summary: "Sign out",
      answers: { 204: "Signed out", 403: "From another site's page" },
      handle: async ({ request }: Call) => {
        checkOrigin(request);
        const token = cookieToken(door, request);
        if (token !== undefined) await signIn.end(token);
        return new Response(null, { status: 204, headers: { "cache-control": "no-store", "set-cookie": cookie(request, "", 0) } });
      },
    },
  ];
}

function checkOrigin(request: Request): void {
  if (!isSameOrigin(request)) throw new HangoError("forbidden", "Sign in from the page itself: this request came from another site.");
}

async function keyOf(request: Request): Promise<string> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
    throw httpRefusal(415, "unsupported_media_type", 'Send the key as application/json: {"key": "hango_…"}.');
  const text = decodeText(await readBody(request, MAX_BODY_BYTES));
  const parsed = body.safeParse(parseJson(text));
  if (!parsed.success) throw new HangoError("invalid_argument", 'The body must be { "key": "…" }.');
  return parsed.data.key;
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
