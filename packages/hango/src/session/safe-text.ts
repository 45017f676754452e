/** Foreign ids made fit for a record and a file name. */

/** What the record keeps of an id. */
const MAX_ID_UNITS = 256;
const SAFE_NAME_UNITS = 32;
const TOOL_NAME_UNITS = 40;

/** An id without control characters and half characters, at most 256 units. */
export function safeId(id: string): string {
  return id
    .slice(0, MAX_ID_UNITS)
    .toWellFormed()
    .replace(/\p{Cc}/gu, "_");
}

/** The part of an id that can stand in a file name: at most 32 letters, digits, "-" and "_". */
export function safeName(id: string): string {
  return id.slice(0, SAFE_NAME_UNITS).replace(/[^A-Za-z0-9_-]/g, "_");
}

/** A tool's name as a preview shows it. */
export function safeToolName(name: string): string {
  const safe = name
    .slice(0, TOOL_NAME_UNITS)
    .replace(/[^\p{L}\p{N}_.:/-]/gu, "_")
    .toWellFormed();
  return safe === "" ? "the tool" : safe;
}
