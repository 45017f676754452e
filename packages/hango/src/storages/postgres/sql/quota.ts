/** Counts and quotas of a namespace: kept exactly by every statement that changes files, refused by the table's own CHECKs. */
import { HangoError, isHangoError, shownPath } from "../../../errors.ts";
import { inScope, lastRows, numberOf, run, type Scope } from "./scope.ts";
import { type FixedSql, fixed } from "./statement.ts";
import { owned, tablesOf } from "./tables.ts";

/** What a namespace holds, and what it may hold; a quota that is absent is no limit. */
export interface Usage {
  readonly files: number;
  readonly bytes: number;
  readonly maxFiles?: number;
  readonly maxBytes?: number;
}

export interface Quota {
  readonly maxFiles?: number;
  readonly maxBytes?: number;
}

export const usageSql: FixedSql = fixed((schema) => `select files, bytes, max_files, max_bytes from ${tablesOf(schema).usage} where ${owned()}`);

export const setQuotaSql: FixedSql = fixed(
  (schema) => `insert into ${tablesOf(schema).usage} as u (tenant_id, agent_id, files, bytes, max_files, max_bytes)
    values ($tenant::uuid, $agent::uuid, 0, 0, $maxFiles::bigint, $maxBytes::bigint)
    on conflict (tenant_id, agent_id) do update set max_files = excluded.max_files, max_bytes = excluded.max_bytes`,
);

export async function usageOf(scope: Scope): Promise<Usage> {
  const row = lastRows(await run(scope, [inScope(scope, usageSql(scope.driver.schema))]))[0];
  if (row === undefined) return { files: 0, bytes: 0 };
  const [maxFiles, maxBytes] = [numberOf(row, "max_files"), numberOf(row, "max_bytes")];
  return {
    files: numberOf(row, "files") ?? 0,
    bytes: numberOf(row, "bytes") ?? 0,
    ...(maxFiles === undefined ? {} : { maxFiles }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

/** Sets both limits; one that is not given is lifted. Errors: quota_exceeded when more is in use already. */
export async function setQuota(scope: Scope, quota: Quota): Promise<void> {
  const values = quotaValues(quota);
  try {
    await run(scope, [inScope(scope, setQuotaSql(scope.driver.schema), values)]);
  } catch (error) {
    if (!isHangoError(error, "quota_exceeded")) throw error;
    const used = await usageOf(scope);
    throw new HangoError(
      "quota_exceeded",
      `The quota was not changed: ${used.files} files of ${used.bytes} bytes are in use, more than it would allow. Delete files first, or allow more.`,
      {
        op: "setQuota",
        details: { ...used },
        cause: error,
      },
    );
  }
}

/** Both limits as they are stored; one that is not given is none. Errors: invalid_argument, also for a misspelled one, which would lift the one that was meant. */
export function quotaValues(quota: Quota): { readonly maxFiles: number | null; readonly maxBytes: number | null } {
  const known: readonly string[] = ["maxFiles", "maxBytes"];
  const unknown = typeof quota === "object" && quota !== null ? Object.keys(quota).filter((name) => !known.includes(name)) : ["that"];
  if (unknown.length > 0)
    throw new HangoError("invalid_argument", `A quota is { maxFiles?, maxBytes? }, and ${unknown.join(", ")} is none of it. The quota was not changed.`);
  return { maxFiles: whole(quota.maxFiles, "maxFiles"), maxBytes: whole(quota.maxBytes, "maxBytes") };
}

function whole(value: number | undefined, what: string): number | null {
  if (value === undefined) return null;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new HangoError("invalid_argument", `${what} must be a whole number of at least 0, or absent for no limit.`);
}

/** Runs a change; where a quota refuses it, the error names the limits and what is in use. */
export async function explainQuota<T>(scope: Scope, path: string | undefined, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    // A tenant's quota has said all of this already; the CHECK's own error only names itself.
    if (!isHangoError(error, "quota_exceeded") || error.details?.["constraint"] === undefined) throw error;
    const used = await usageOf(scope);
    const what = path === undefined ? "The change" : shownPath(path);
    throw new HangoError(
      "quota_exceeded",
      `${what} was not written: it would exceed the quota (${inUse(used)}). Delete files that are no longer needed, then retry.`,
      {
        ...(path === undefined ? {} : { path: shownPath(path) }),
        details: { ...used },
        cause: error,
      },
    );
  }
}

/** "2 of 3 files in use, 8 of 10 bytes in use"; of limits that are not set, nothing. */
export function inUse({ files, bytes, maxFiles, maxBytes }: Usage): string {
  const part = (used: number, most: number | undefined, unit: string): readonly string[] => (most === undefined ? [] : [`${used} of ${most} ${unit} in use`]);
  return [...part(files, maxFiles, "files"), ...part(bytes, maxBytes, "bytes")].join(", ");
}
