/** What a tenant's quota says to a write, from the sum that its agents hold. */
import { HangoError, isHangoError, shownPath } from "../../../errors.ts";
import type { Driver } from "../driver/driver.ts";
import { inUse, type Usage } from "../sql/quota.ts";
import { tenantUsage } from "./tenants.ts";

/** By how much a change would grow what is held; less than 0 where it shrinks. */
export interface Growth {
  readonly files: number;
  readonly bytes: number;
}

/** A tenant that is not registered has no quota; its writes are refused by the foreign keys. */
export async function usageOfTenant(driver: Driver, tenantId: string): Promise<Usage> {
  try {
    return await tenantUsage(driver, tenantId);
  } catch (error) {
    if (isHangoError(error, "not_found")) return { files: 0, bytes: 0 };
    throw error;
  }
}

/** What grows nothing is never refused. */
export function exceeds({ files, bytes, maxFiles, maxBytes }: Usage, growth: Growth): boolean {
  const over = (used: number, more: number, most: number | undefined): boolean => most !== undefined && more > 0 && used + more > most;
  return over(files, growth.files, maxFiles) || over(bytes, growth.bytes, maxBytes);
}

export function exceeded(used: Usage, path: string): HangoError {
  return new HangoError(
    "quota_exceeded",
    `${shownPath(path)} was not written: it would exceed the quota of the whole tenant (${inUse(used)}). Delete files that are no longer needed, then retry.`,
    { path: shownPath(path), op: "write", details: { ...used } },
  );
}
