/** Rows in the binary format of COPY, written one behind the other into a buffer that is used again. */

/** Source: PostgreSQL's documentation of COPY, "Binary Format": signature, no flags, no extension; each row its number of fields. */
const HEADER: Uint8Array = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const TRAILER_BYTES = 2;
const NULL_FIELD = -1;
/** Of the whole days from 1970 to 2000, where Postgres counts from. Units: milliseconds. */
const EPOCH_MS = 946_684_800_000n;

/** A field as the column's type takes it in binary. */
export type Field = Uint8Array | null;

export interface CopyRows {
  readonly add: (fields: readonly Field[]) => void;
  /** Bytes so far. */
  readonly size: () => number;
  /** The whole COPY; it is overwritten once rows are added after `clear`. */
  readonly bytes: () => Uint8Array;
  readonly clear: () => void;
}

/** `capacity` is where the buffer starts; it grows with a row that needs more. */
export function createCopyRows(capacity: number): CopyRows {
  let buffer = Buffer.allocUnsafe(Math.max(capacity, HEADER.length + TRAILER_BYTES));
  buffer.set(HEADER);
  let end = HEADER.length;

  function reserve(bytes: number): void {
    if (end + bytes + TRAILER_BYTES <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + bytes + TRAILER_BYTES));
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  }

  return {
    add: (fields) => {
      reserve(fields.reduce((sum, field) => sum + 4 + (field?.length ?? 0), 2));
      end = buffer.writeInt16BE(fields.length, end);
      for (const field of fields) {
        end = buffer.writeInt32BE(field?.length ?? NULL_FIELD, end);
        if (field === null) continue;
        buffer.set(field, end);
        end += field.length;
      }
    },
    size: () => end,
    bytes: () => {
      buffer.writeInt16BE(-1, end);
      return buffer.subarray(0, end + TRAILER_BYTES);
    },
    clear: () => {
      end = HEADER.length;
    },
  };
}

export function uuidField(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

export function textField(text: string): Uint8Array {
  return Buffer.from(text);
}

export function intField(value: number): Uint8Array {
  const field = Buffer.allocUnsafe(4);
  field.writeInt32BE(value);
  return field;
}

/** A timestamptz: microseconds since 2000. */
export function timeField(time: Date): Uint8Array {
  const field = Buffer.allocUnsafe(8);
  field.writeBigInt64BE((BigInt(time.getTime()) - EPOCH_MS) * 1000n);
  return field;
}
