import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { uuidFor } from "../path/uuid.ts";
import { memoryStorage } from "../storages/memory.ts";
import { memorySeen } from "./seen.ts";
import { openSession } from "./session.ts";

describe("openSession", () => {
  const refusal = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return isHangoError(error, "invalid_argument") ? error.message : String(error);
    }
    return "opened";
  };

  it.each([undefined, null, "x", []])('refuses options of %j: "Cannot convert undefined or null to object"', (options) => {
    expect(refusal(() => openSession(options as never))).toMatch(/^openSession's options must be an object; it is /);
  });

  it.each([
    [{ policy: null }, "policy must be an object; it is null."],
    [{ policy: { approve: true } }, "policy.approve must be a function; it is boolean."],
    [{ limits: null }, "limits must be an object; it is null."],
    [{ limits: [] }, "limits must be an object; it is an array."],
    [{ tools: "ls" }, "tools must be an array of tool names; it is string."],
    [{ tools: null }, "tools must be an array of tool names; it is null."],
    [{ estimator: () => 1 }, "estimator must be an object; it is function."],
    [{ estimator: { estimate: () => 1 } }, "estimator.estimateRequest must be a function; it is undefined."],
    [{ seen: new Set() }, "seen.get must be a function; it is undefined."],
    [{ seen: { ...memorySeen(), delete: 1 } }, "seen.delete must be a function; it is number."],
  ])("refuses %o, which was taken silently or was a TypeError", (options, message) => {
    expect(refusal(() => openSession({ storage: memoryStorage(), sessionId: uuidFor("s1"), ...options } as never))).toBe(message);
  });

  it("takes stores and estimators that are instances of a class", () => {
    expect(() => openSession({ storage: memoryStorage(), sessionId: uuidFor("s1"), seen: new Map() as never })).not.toThrow();
  });
});
