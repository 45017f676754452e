/** Finds the entries of a tar archive whose type its reader does not know and would take for plain files: old GNU's sparse files, labels, parts. */

const BLOCK = 512;
/** A longer one is refused by the reader. Units: bytes. */
const MAX_META_BYTES = 8 * 1024 * 1024;
const FIFO = 0x36;

/** By their place among the entries, the first is 1. */
export interface Foreign {
  readonly reason: string;
  /** False where no file was there to begin with. */
  readonly isFile?: false;
}

/** Passes an archive on, with each of those made an entry without content; `found` is told of it before the entry comes out. Holds no more than one block and one PAX header. */
export async function* withoutForeign(archive: AsyncIterable<Uint8Array>, found: (entry: number, foreign: Foreign) => void): AsyncGenerator<Uint8Array> {
  let header = Buffer.alloc(0);
  /** What comes before the next header, and whether it is passed on. */
  let [left, isDropped] = [0, false];
  let isMap = false;
  let meta: { readonly kind: "x" | "g"; readonly sizeBytes: number; readonly parts: Uint8Array[] } | undefined;
  const sizes: { x?: number | undefined; g?: number | undefined } = {};
  let entries = 0;
  let isOver = false;

  /** Answers the header to pass on, undefined for a block of a sparse file's map. */
  function next(block: Buffer): Buffer | undefined {
    if (isMap) {
      isMap = block[504] !== 0;
      return undefined;
    }
    const type = String.fromCharCode(block[156] ?? 0);
    // Its end, or what its reader will refuse: nothing is looked for behind it.
    if (!isHeader(block)) {
      isOver = true;
      return block;
    }
    const sizeBytes = numberIn(block.subarray(124, 136));
    if (META.has(type)) {
      // As its reader does: of two of them before one entry the last one counts.
      sizes.x = undefined;
      left = padded(sizeBytes);
      if ((type === "x" || type === "g") && sizeBytes <= MAX_META_BYTES) meta = { kind: type, sizeBytes, parts: [] };
      return block;
    }
    entries += 1;
    const body = padded(sizes.x ?? sizes.g ?? sizeBytes);
    sizes.x = undefined;
    if (WITHOUT_BODY.has(type)) return block;
    left = body;
    if (FILES.has(type)) return block;
    found(entries, foreignOf(type));
    isDropped = true;
    isMap = type === "S" && block[482] !== 0;
    return asFifo(block);
  }

  function endMeta(): void {
    if (meta === undefined) return;
    const size = sizeIn(Buffer.concat(meta.parts).subarray(0, meta.sizeBytes));
    if (size !== undefined) sizes[meta.kind] = size;
    meta = undefined;
  }

  for await (const chunk of archive) {
    let at = 0;
    while (at < chunk.length) {
      if (isOver) {
        yield chunk.subarray(at);
        break;
      }
      if (left > 0 && !isMap) {
        const piece = chunk.subarray(at, at + left);
        at += piece.length;
        left -= piece.length;
        if (meta !== undefined) meta.parts.push(piece);
        if (!isDropped) yield piece;
        if (left > 0) continue;
        isDropped = false;
        endMeta();
        continue;
      }
      const piece = chunk.subarray(at, at + BLOCK - header.length);
      at += piece.length;
      header = Buffer.concat([header, piece]);
      if (header.length < BLOCK) continue;
      const passed = next(header);
      header = Buffer.alloc(0);
      if (passed !== undefined) yield passed;
      if (left === 0 && !isMap) {
        isDropped = false;
        endMeta();
      }
    }
  }
  if (header.length > 0) yield header;
}

const META: ReadonlySet<string> = new Set(["x", "g", "L", "K"]);
/** Links, devices, directories and pipes. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(["1", "2", "3", "4", "5", "6"]);
/** A contiguous file is a file. */
const FILES: ReadonlySet<string> = new Set(["\0", "0", "7"]);

function foreignOf(type: string): Foreign {
  if (type === "S") return { reason: "a sparse file" };
  if (type === "M") return { reason: "the rest of a file of another archive" };
  return { reason: `an entry of the type ${JSON.stringify(type)}, which is no file`, isFile: false };
}

function isHeader(block: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : (block[at] ?? 0);
  return sum === numberIn(block.subarray(148, 156));
}

function asFifo(block: Buffer): Buffer {
  const made = Buffer.from(block);
  made[156] = FIFO;
  made.fill(0x20, 148, 156);
  const sum = made.reduce((total, byte) => total + byte, 0);
  made.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return made;
}

/** Octal, or binary where the first bit is set. */
function numberIn(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) return field.subarray(1).reduce((value, byte) => value * 256 + byte, (field[0] ?? 0) & 0x7f);
  return Number.parseInt(field.toString("latin1").replace(/\0.*$/s, "").trim() || "0", 8);
}

function padded(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BLOCK) * BLOCK;
}

/** The size of the next entry, where a PAX header says it: "20 size=8589934592\n" among its records. */
function sizeIn(records: Buffer): number | undefined {
  let size: number | undefined;
  for (let at = 0; at < records.length;) {
    const space = records.indexOf(0x20, at);
    const length = space < 0 ? Number.NaN : Number.parseInt(records.toString("latin1", at, space), 10);
    if (!(length > 0)) break;
    const value = /^size=(\d+)$/.exec(records.toString("latin1", space + 1, Math.min(at + length - 1, space + 40)))?.[1];
    if (value !== undefined && Number.isSafeInteger(Number(value))) size = Number(value);
    at += length;
  }
  return size;
}
