import { expect, it } from "vitest";
import type { Capabilities, Driver } from "../driver/driver.ts";
import { treeLock } from "./tree-lock.ts";

const namespace = { tenantId: "00000000-0000-4000-8000-000000000001", agentId: "00000000-0000-4000-8000-000000000002" };

it.each([
  ["advisory", 1],
  ["row", 2],
  ["none", 0],
] as const)("a tree lock by %s takes %i statements before the one that creates", (lock, count) => {
  const capabilities = { treeLock: lock } as Capabilities;
  expect(treeLock({ driver: { schema: "hango", capabilities } as Driver, namespace })).toHaveLength(count);
});
