import { notFound } from "hango";
import type { Tenancy } from "hango/postgres";
import { describe, expect, it } from "vitest";
import { countFiles } from "./telemetry-file-count.ts";

/** Tenants t0000, t0001 … in order of ids, as the database hands them out. */
function tenantsWith(files: readonly (number | undefined)[]): Pick<Tenancy, "listTenants" | "usage"> {
  const ids = files.map((_, index) => `t${String(index).padStart(4, "0")}`);
  return {
    listTenants: async ({ after = "", limit }) =>
      ids
        .filter((id) => id > after)
        .slice(0, limit)
        .map((id) => ({ id, name: id, createdAt: new Date(0) })),
    usage: async (id) => {
      const count = files[ids.indexOf(id)];
      if (count === undefined) throw notFound(id);
      return { files: count, bytes: 0 };
    },
  };
}

const count = (files: readonly (number | undefined)[], largest: number): ReturnType<typeof countFiles> =>
  countFiles(tenantsWith(files), { largest, signal: new AbortController().signal });

describe("files of tenants for a gauge", () => {
  it("names the largest, and counts the rest as one", async () => {
    expect(await count([5, 1, 9, 2], 2)).toEqual([
      { tenantId: "t0002", files: 9 },
      { tenantId: "t0000", files: 5 },
      { tenantId: "other", files: 3 },
    ]);
  });

  it("has no rest where there are just as many tenants, and nothing where there are none", async () => {
    expect((await count([5, 1], 2)).map(({ tenantId }) => tenantId)).toEqual(["t0000", "t0001"]);
    expect(await count([], 2)).toEqual([]);
  });

  it.each([999, 1_000, 1_001, 1_501])("reads %i tenants page by page, and loses none", async (tenants) => {
    const seen = await count(
      Array.from({ length: tenants }, () => 3),
      1_000,
    );
    expect(seen).toHaveLength(Math.min(tenants, 1_000) + (tenants > 1_000 ? 1 : 0));
    expect(seen.reduce((total, { files }) => total + files, 0)).toBe(3 * tenants);
  });

  it("leaves out a tenant that was deleted meanwhile, and stops when it is told to", async () => {
    expect(await count([1, undefined, 2], 10)).toHaveLength(2);
    await expect(countFiles(tenantsWith([1]), { largest: 1, signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
  });
});
