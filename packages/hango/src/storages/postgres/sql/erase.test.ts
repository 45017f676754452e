import { expect, it } from "vitest";
import { uuidFor } from "../../../path/uuid.ts";
import type { Driver, RunOptions } from "../driver/driver.ts";
import { RUN_DEADLINE_MS } from "../driver/deadline.ts";
import { removeAgent } from "../tenancy/agents.ts";
import { eraseNamespace } from "./erase.ts";

it("erasing has more time than other calls: what took over a minute was rolled back each time, and could never be erased", async () => {
  const given: (number | undefined)[] = [];
  const driver = {
    schema: "hango",
    capabilities: { treeLock: "advisory" },
    run: (_statements: unknown, { timeoutMs }: RunOptions) => {
      given.push(timeoutMs);
      return Promise.resolve({ rows: [], attempts: 1 });
    },
  } as unknown as Driver;
  const namespace = { tenantId: uuidFor("t"), agentId: uuidFor("a") };
  await eraseNamespace({ driver, namespace });
  await removeAgent(driver, namespace);
  expect(given).toHaveLength(2);
  for (const timeoutMs of given) expect(timeoutMs).toBeGreaterThan(10 * RUN_DEADLINE_MS);
});
