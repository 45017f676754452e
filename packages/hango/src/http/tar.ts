/** Files packed as a tar archive: ustar, with a PAX header before whatever ustar can't say. */
import { encodeUtf8, utf8Length } from "../text/utf8.ts";

const BLOCK = 512;
/** Two empty blocks end an archive. */
const END: Uint8Array = new Uint8Array(2 * BLOCK);

export interface TarFile {
  /** Relative. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly modifiedAt?: Date;
}

/** Of a plain header: eleven octal digits. */
const MAX_SECONDS = 8 ** 11 - 1;

/** The bytes of one archive member. */
export function tarMember({ path, bytes, modifiedAt }: TarFile): readonly Uint8Array[] {
  const exact = (modifiedAt?.getTime() ?? 0) / 1000;
  const seconds = Math.min(Math.max(0, Math.floor(exact)), MAX_SECONDS);
  const plain = /^[\x20-\x7e]{1,100}$/.test(path);
  const records = [...(plain ? [] : [paxRecord("path", path)]), ...(seconds === exact ? [] : [paxRecord("mtime", String(exact))])];
  const pax = records.length === 0 ? [] : padded(encodeUtf8(records.join("")));
  const before = pax.length === 0 ? [] : [header({ name: "pax-header", size: pax[0]?.length ?? 0, seconds, type: "x" }), ...pax];
  return [...before, header({ name: plain ? path : "file", size: bytes.length, seconds, type: "0" }), ...padded(bytes)];
}

export function tarEnd(): Uint8Array {
  return END;
}

function padded(bytes: Uint8Array): readonly Uint8Array[] {
  const rest = (BLOCK - (bytes.length % BLOCK)) % BLOCK;
  return [bytes, ...(rest === 0 ? [] : [new Uint8Array(rest)])];
}

/** "LENGTH key=value\n", where the length counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = utf8Length(` ${key}=${value}\n`);
  let length = rest + 1;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function header(member: { readonly name: string; readonly size: number; readonly seconds: number; readonly type: "0" | "x" }): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string): void => block.set(encodeUtf8(text), at);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
  put(0, member.name);
  put(100, octal(0o644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(member.size, 11));
  put(136, octal(member.seconds, 11));
  put(148, "        ");
  put(156, member.type);
  put(257, "ustar\0");
  put(263, "00");
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return block;
}
