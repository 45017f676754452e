/** Reads an archive of the files API: ustar and the PAX records before an entry. */

export interface Untarred {
  readonly name: string;
  readonly text: string;
  readonly modifiedAt: Date;
}

export function untar(archive: Uint8Array): readonly Untarred[] {
  const bytes = Buffer.from(archive);
  const found: Untarred[] = [];
  let pax = new Map<string, string>();
  for (let at = 0; bytes[at] !== 0;) {
    const field = (from: number, to: number): string => bytes.toString("utf8", at + from, at + to).replace(/\0[^]*$/, "");
    const size = Number.parseInt(field(124, 136), 8);
    const text = bytes.toString("utf8", at + 512, at + 512 + size);
    if (field(156, 157) === "x") pax = new Map([...text.matchAll(/\d+ (\w+)=(.*)\n/g)].map(([, key = "", value = ""]) => [key, value]));
    else {
      const seconds = Number(pax.get("mtime") ?? Number.parseInt(field(136, 148), 8));
      found.push({ name: pax.get("path") ?? field(0, 100), text, modifiedAt: new Date(Math.round(seconds * 1000)) });
      pax = new Map();
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}
