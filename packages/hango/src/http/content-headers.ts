/** How a file's bytes are shown to a browser: never as something that runs. */
import { baseName } from "../path/path.ts";
import type { FileInfo } from "../storage.ts";
import { etagOf } from "./preconditions.ts";

/** Shown as they are declared. */
const INERT: ReadonlySet<string> = new Set([
  "text/plain",
  "text/markdown",
  "text/csv",
  "application/json",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
]);

/** Text that a browser or its plugins would act on. */
const ACTIVE_TEXT = /^text\/(html|xml|xsl|css|javascript|ecmascript|jscript|livescript|vbscript|calendar|vcard|cache-manifest|x-.*script.*)$|[/+](xml|xhtml)$/;

export interface ShownType {
  readonly contentType: string;
  readonly inline: boolean;
}

/** The type to answer with: the declared one where it is inert, plain text for other text, else bytes. Whatever could run is an attachment. */
export function shownType(declared: string): ShownType {
  const type = (declared.split(";")[0] ?? "").trim().toLowerCase();
  if (INERT.has(type)) return { contentType: type.startsWith("image/") ? type : `${type}; charset=utf-8`, inline: true };
  if (ACTIVE_TEXT.test(type)) return { contentType: "text/plain; charset=utf-8", inline: false };
  if (/^text\/[a-z0-9.+-]+$/.test(type)) return { contentType: "text/plain; charset=utf-8", inline: true };
  return { contentType: "application/octet-stream", inline: false };
}

/** The headers of a file's content, the same for GET and HEAD. `x-file-content-type` is the type as it is stored. */
export function contentHeaders(info: FileInfo): Headers {
  const { contentType, inline } = shownType(info.contentType);
  const headers = new Headers({
    "content-type": contentType,
    "content-disposition": `${inline ? "inline" : "attachment"}; ${fileName(info.path)}`,
    "x-file-content-type": info.contentType,
    etag: etagOf(info.version),
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    vary: "Authorization, Cookie",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
  });
  if (info.updatedAt !== undefined) headers.set("last-modified", info.updatedAt.toUTCString());
  return headers;
}

/** RFC 6266: a plain name for old clients, the true one beside it. */
export function fileName(path: string): string {
  const name = baseName(path);
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}
