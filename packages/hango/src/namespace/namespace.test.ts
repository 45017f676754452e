import { describe, expect, it } from "vitest";
import { currentNamespace, withNamespace } from "./context.ts";
import { parseNamespace } from "./namespace.ts";

const tenantId = "0b0e7a5e-5f0f-4b53-9d3e-0d4f2a6a1c11";
const agentId = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

describe("parseNamespace", () => {
  it("lowers upper case", () => {
    expect(parseNamespace({ tenantId: tenantId.toUpperCase(), agentId })).toEqual({ tenantId, agentId });
  });

  it("refuses what is not two UUIDs, names which, and points at uuidFor", () => {
    const refused = (message: RegExp) => expect.objectContaining({ code: "invalid_argument", message: expect.stringMatching(message) });
    expect(() => parseNamespace({ tenantId: "org_2ab", agentId })).toThrow(refused(/tenantId.*uuidFor/));
    for (const wrong of ["", " ", "a:b", undefined, 7, `${agentId} `])
      expect(() => parseNamespace({ tenantId, agentId: wrong as string })).toThrow(refused(/agentId/));
    for (const wrong of [undefined, null, "x"]) expect(() => parseNamespace(wrong as never)).toThrow(refused(/tenantId, agentId/));
  });
});

describe("withNamespace", () => {
  it("holds through awaits and ends with the call", async () => {
    expect(() => currentNamespace()).toThrow(expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining("withNamespace") }));
    const seen = await withNamespace({ tenantId: tenantId.toUpperCase(), agentId }, async () => {
      await Promise.resolve();
      return currentNamespace();
    });
    expect(seen).toEqual({ tenantId, agentId });
    expect(() => currentNamespace()).toThrow();
  });

  it("keeps two at once apart, also nested", async () => {
    const at = (id: string) =>
      withNamespace({ tenantId: id, agentId }, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return [withNamespace({ tenantId: agentId, agentId }, () => currentNamespace().tenantId), currentNamespace().tenantId];
      });
    expect(await Promise.all([at(tenantId), at(agentId)])).toEqual([
      [agentId, tenantId],
      [agentId, agentId],
    ]);
  });

  it("runs nothing in a bad namespace", () => {
    let ran = false;
    expect(() =>
      withNamespace({ tenantId: "x", agentId }, () => {
        ran = true;
      }),
    ).toThrow();
    expect(ran).toBe(false);
  });
});
