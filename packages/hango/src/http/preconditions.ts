/** ETags and the preconditions made of them (RFC 9110). An ETag is the version in quotes, always strong. */
import { isVersion } from "../contract/check-options.ts";
import { HangoError } from "../errors.ts";
import type { Version } from "../storage.ts";

export function etagOf(version: Version): string {
  return `"${version}"`;
}

/** What a header lists: anything (`*`), or tags. */
export type Tags = "*" | readonly Tag[];

export interface Tag {
  readonly weak: boolean;
  readonly value: string;
}

/** Characters of a header and tags in it; more is refused. */
const MAX_HEADER_CHARS = 4_096;
/** Empty elements of a list are passed over, as for any list of HTTP. */
const TAG = /[\s,]*(W\/)?"([\x21\x23-\x7e\x80-\u{ff}]*)"\s*(?:,[\s,]*|$)/uy;

/** Reads If-Match or If-None-Match; undefined when it is not there. Errors: invalid_argument for what is neither `*` nor a list of tags. */
export function parseTags(header: string | null, name: string): Tags | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (text === "*") return "*";
  const tags: Tag[] = [];
  for (TAG.lastIndex = 0; TAG.lastIndex < text.length;) {
    const match = text.length > MAX_HEADER_CHARS ? null : TAG.exec(text);
    if (match === null)
      throw new HangoError("invalid_argument", `${name} must be * or a list of ETags in double quotes, as an answer's ETag header gave them.`);
    tags.push({ weak: match[1] !== undefined, value: match[2] ?? "" });
  }
  if (tags.length === 0) throw new HangoError("invalid_argument", `${name} is empty; send an ETag or leave it out.`);
  return tags;
}

/** Strong comparison: a weak tag never matches. */
export function matchesStrongly(tags: Tags, version: Version | undefined): boolean {
  if (version === undefined) return false;
  return tags === "*" || tags.some((tag) => !tag.weak && tag.value === version);
}

/** Weak comparison, for a read. */
export function matchesWeakly(tags: Tags, version: Version | undefined): boolean {
  if (version === undefined) return false;
  return tags === "*" || tags.some((tag) => tag.value === version);
}

/** The version that a single strong tag names; undefined for anything that must be held against the current one. "absent" is no version. */
export function soleVersion(tags: Tags): Version | undefined {
  if (tags === "*" || tags.length !== 1) return undefined;
  const [tag] = tags;
  return tag !== undefined && !tag.weak && isVersion(tag.value) ? tag.value : undefined;
}
