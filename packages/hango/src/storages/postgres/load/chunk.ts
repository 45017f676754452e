/** The files of one transaction of a load: checked, and encoded as they come, so that a caller's buffer is free again at once. */
import { checkContent, checkContentType } from "../../../contract/check-options.ts";
import { HangoError, isHangoError, shownPath } from "../../../errors.ts";
import { processLimits } from "../../../limits.ts";
import { storedContentType } from "../../../path/content-type.ts";
import { ancestorsOf, parseFilePath } from "../../../path/path.ts";
import { placeOf } from "../../../path/reserved.ts";
import { uuidV7 } from "../../../path/uuid.ts";
import type { Namespace } from "../../../storage.ts";
import { decodeText } from "../../../text/utf8.ts";
import { keyOf } from "../sql/key-range.ts";
import { createCopyRows, intField, textField, timeField, uuidField } from "./copy-rows.ts";

/** A file as it comes from outside. */
export interface LoadFile {
  /** Storage form: "docs/a.md". */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Absent: kept from the file written over; else by extension. */
  readonly contentType?: string;
  /** Absent: now. */
  readonly updatedAt?: Date;
}

/** Limits of one transaction: what a server takes in at ease, and arrays that are cheap to send. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const CHUNK_FILES = 2_000;

export interface Chunk {
  /** Takes a file in. Answers why it can't be stored, or "later" when it must be in a transaction after this one. */
  readonly add: (file: LoadFile) => "taken" | "later" | { readonly refused: string };
  readonly isFull: () => boolean;
  readonly files: () => number;
  readonly rows: () => Uint8Array;
  /** As keys. */
  readonly paths: () => readonly string[];
  /** The directories of all of them, which must not be files. */
  readonly ancestors: () => readonly string[];
  readonly clear: () => void;
}

/** `op` is the id of the whole load. */
export function createChunk({ tenantId, agentId }: Namespace, op: string): Chunk {
  const rows = createCopyRows(CHUNK_BYTES + CHUNK_BYTES / 4);
  const paths = new Set<string>();
  const ancestors = new Set<string>();
  const [tenant, agent, opField, one] = [uuidField(tenantId), uuidField(agentId), uuidField(op), intField(1)];

  function add(file: LoadFile): ReturnType<Chunk["add"]> {
    const refused = refusalOf(file);
    if (refused !== undefined) return { refused };
    const { path, bytes } = file;
    const above = ancestorsOf(path);
    // Between two files of one load the earlier one decides, and the database knows it once it is there.
    if (paths.has(path) || ancestors.has(path) || above.some((directory) => paths.has(directory))) return "later";
    const given = checkContentType(file).contentType || undefined;
    const isText = decodeText(bytes) !== undefined;
    const time = timeField(checkTime(file));
    rows.add([
      uuidField(uuidV7()),
      tenant,
      agent,
      textField(keyOf(path)),
      isText ? bytes : null,
      isText ? null : bytes,
      intField(bytes.length),
      textField(storedContentType({ given, kept: undefined, path, isText })),
      one,
      opField,
      time,
      time,
      given === undefined ? null : textField(given),
    ]);
    paths.add(path);
    for (const directory of above) ancestors.add(directory);
    return "taken";
  }

  return {
    add,
    isFull: () => rows.size() >= CHUNK_BYTES || paths.size >= CHUNK_FILES,
    files: () => paths.size,
    rows: rows.bytes,
    paths: () => Array.from(paths, keyOf),
    ancestors: () => Array.from(ancestors, keyOf),
    clear: () => {
      rows.clear();
      paths.clear();
      ancestors.clear();
    },
  };
}

/** Why a file can't be stored. Errors: invalid_argument for what is no file at all, which is a fault of the caller's. */
export function refusalOf({ path, bytes }: LoadFile): string | undefined {
  checkContent(bytes);
  try {
    parseFilePath(path);
  } catch (error) {
    if (isHangoError(error)) return error.message;
    throw error;
  }
  const place = placeOf(path);
  if (place.kind === "machine") return "a name that only hango itself writes";
  if (place.kind === "reserved" && !place.exact) return "another spelling of a reserved name";
  return bytes.length > processLimits.maxFileBytes ? `over ${processLimits.maxFileBytes} bytes` : undefined;
}

/** Postgres and JavaScript agree on these years. */
const EARLIEST_MS: number = Date.UTC(-4000, 0);
const LATEST_MS: number = Date.UTC(9999, 0);

function checkTime({ path, updatedAt }: LoadFile): Date {
  if (updatedAt === undefined) return new Date();
  const ms = updatedAt instanceof Date ? updatedAt.getTime() : Number.NaN;
  if (ms >= EARLIEST_MS && ms <= LATEST_MS) return updatedAt;
  throw new HangoError("invalid_argument", `The updatedAt of ${shownPath(path)} must be a Date before the year 9999.`, { path: shownPath(path) });
}
