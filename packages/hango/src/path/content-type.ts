/** Content types by extension. Our own small table of text: general ones call .ts a video. */
import { HangoError, shownPath } from "../errors.ts";
import { MAX_CONTENT_TYPE_CHARS } from "../limits.ts";
import { quoteText } from "../text/quote.ts";
import { baseName } from "./path.ts";

const byExtension: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "text/plain": "txt text log env ini cfg conf properties lock",
    "text/markdown": "md markdown mdx",
    "text/html": "html htm",
    "text/css": "css",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "text/javascript": "js mjs cjs",
    "text/jsx": "jsx",
    "text/typescript": "ts mts cts",
    "text/tsx": "tsx",
    "text/x-python": "py pyi",
    "text/x-go": "go",
    "text/x-rust": "rs",
    "text/x-java": "java",
    "text/x-kotlin": "kt kts",
    "text/x-swift": "swift",
    "text/x-ruby": "rb",
    "text/x-php": "php",
    "text/x-c": "c h",
    "text/x-c++": "cc cpp cxx hh hpp",
    "text/x-csharp": "cs",
    "text/x-lua": "lua",
    "text/x-sql": "sql",
    "text/x-vue": "vue",
    "text/x-svelte": "svelte",
    "text/x-diff": "diff patch",
    "text/x-rst": "rst",
    "text/x-tex": "tex",
    "text/calendar": "ics",
    "text/vcard": "vcf",
    "text/vtt": "vtt",
    "image/svg+xml": "svg",
    "application/json": "json map",
    "application/jsonl": "jsonl ndjson",
    "application/json5": "json5 jsonc",
    "application/yaml": "yaml yml",
    "application/toml": "toml",
    "application/xml": "xml xsd xsl",
    "application/graphql": "graphql gql",
    "application/x-sh": "sh bash zsh",
    "application/x-ipynb+json": "ipynb",
  }).flatMap(([type, extensions]) => extensions.split(" ").map((extension) => [extension, type] as const)),
);

/** The content type of a text file by its extension, in either case; "" when unknown, so that each caller picks its fallback. */
export function contentTypeFor(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf(".");
  // A leading dot makes a hidden name, not an extension.
  return dot < 1 ? "" : (byExtension.get(name.slice(dot + 1).toLowerCase()) ?? "");
}

export interface ContentTypeFacts {
  /** What the caller asked for; "" counts as nothing. */
  readonly given: string | undefined;
  /** That of the file written over. */
  readonly kept: string | undefined;
  readonly path: string;
  readonly isText: boolean;
}

/** The one rule: as given; else kept from the file written over; else by extension; else plain text or bytes. Errors: invalid_argument for a given one that can't be a header's value. */
export function storedContentType(facts: ContentTypeFacts): string {
  if (facts.given !== undefined && facts.given !== "") return checked(facts.given, facts.path);
  if (facts.kept !== undefined && facts.kept !== "") return facts.kept;
  return contentTypeFor(facts.path) || (facts.isText ? "text/plain" : "application/octet-stream");
}

/** True for what can be a header's value as it is; "" counts as nothing given. */
export function isContentType(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_CONTENT_TYPE_CHARS && /^[\x20-\x7e]*$/.test(value);
}

function checked(contentType: string, path: string): string {
  if (isContentType(contentType)) return contentType;
  const shown = typeof contentType === "string" ? quoteText(contentType, 60) : typeof contentType;
  throw new HangoError(
    "invalid_argument",
    `The content type ${shown} of ${shownPath(path)} must be 1 to ${MAX_CONTENT_TYPE_CHARS} printable ASCII characters, such as text/markdown.`,
    { path: shownPath(path) },
  );
}
