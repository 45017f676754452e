/** How many files each tenant has, for a gauge: the largest by name, the rest as one, so that the series stay bounded. */
import { isHangoError } from "hango";
import type { Tenancy } from "hango/postgres";

export interface TenantFiles {
  readonly tenantId: string;
  readonly files: number;
}

/** The name under which all tenants beyond the largest are counted. */
export const OTHER = "other";
const PAGE = 500;

/** Asks each tenant's own rows: no statement reads across tenants, and row-level security would not let one. */
export async function countFiles(
  tenancy: Pick<Tenancy, "listTenants" | "usage">,
  { largest, signal }: { readonly largest: number; readonly signal: AbortSignal },
): Promise<readonly TenantFiles[]> {
  let top: TenantFiles[] = [];
  let rest = 0;
  let hasRest = false;
  const keepLargest = (): void => {
    top.sort((a, b) => b.files - a.files);
    for (const { files } of top.slice(largest)) {
      rest += files;
      hasRest = true;
    }
    top = top.slice(0, largest);
  };
  for (let after: string | undefined; ;) {
    const page = await tenancy.listTenants({ ...(after === undefined ? {} : { after }), limit: PAGE });
    for (const { id } of page) {
      signal.throwIfAborted();
      const files = await filesOf(tenancy, id);
      if (files !== undefined) top.push({ tenantId: id, files });
    }
    keepLargest();
    if (page.length < PAGE) return hasRest ? [...top, { tenantId: OTHER, files: rest }] : top;
    after = page.at(-1)?.id;
  }
}

/** Undefined for a tenant that was deleted meanwhile. */
async function filesOf(tenancy: Pick<Tenancy, "usage">, tenantId: string): Promise<number | undefined> {
  try {
    return (await tenancy.usage(tenantId)).files;
  } catch (error) {
    if (isHangoError(error, "not_found")) return undefined;
    throw error;
  }
}
