import { describe, expect, it } from "vitest";
import { limitsFrom, resolveLimits } from "./limits.ts";

describe("limits", () => {
  it.each([
    ["HANGO_FS_MAX_FILE_BYTES", "maxFileBytes", 1024 * 1024],
    ["HANGO_FS_MAX_PATH_DEPTH", "maxPathDepth", 32],
    ["HANGO_TOOL_RESULT_TOKEN_LIMIT", "toolResultTokens", 20_000],
    ["HANGO_FS_MAX_OFFLOAD_BYTES", "maxOffloadBytes", 16 * 1024 * 1024],
  ] as const)("%s sets %s, %i when unset, and a bad value names the variable and the rule", (variable, limit, fallback) => {
    expect([limitsFrom({})[limit], limitsFrom({ [variable]: "" })[limit], limitsFrom({ [variable]: "7" })[limit]]).toEqual([fallback, fallback, 7]);
    for (const bad of ["0", "-1", "1.5", "1e3", "ten", " 7"])
      expect(() => limitsFrom({ [variable]: bad }), bad).toThrow(`${variable}=${JSON.stringify(bad)} must be a whole number from 1 to`);
  });

  it("a depth may only be lowered: 1, 32, and no more", () => {
    for (const maxPathDepth of [1, 31, 32]) expect(resolveLimits({ maxPathDepth }).maxPathDepth).toBe(maxPathDepth);
    for (const maxPathDepth of [0, 33]) {
      expect(() => resolveLimits({ maxPathDepth })).toThrow(`limits.maxPathDepth is ${maxPathDepth}; it must be a whole number from 1 to 32.`);
      expect(() => limitsFrom({ HANGO_FS_MAX_PATH_DEPTH: String(maxPathDepth) })).toThrow("from 1 to 32");
    }
  });
});
