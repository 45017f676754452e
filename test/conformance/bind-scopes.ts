import { randomUUID } from "node:crypto";
import { describe, it } from "vitest";
import type { PostgresStorage } from "hango/postgres";
import { scopedConformance } from "hango/testing";

/** Two scopes that share nothing, and two that share only the tenant or only the agent. */
export function bindScopes(name: string, storage: () => PostgresStorage): void {
  const runner = { describe, it };
  const id = randomUUID;
  scopedConformance(runner, {
    name: `${name}, two tenants,`,
    create: () => ({
      storage: storage(),
      scopes: [
        { tenantId: id(), agentId: id() },
        { tenantId: id(), agentId: id() },
      ],
    }),
  });
  scopedConformance(runner, {
    name: `${name}, two agents of one tenant,`,
    create: () =>
      (([tenantId]) => ({
        storage: storage(),
        scopes: [
          { tenantId, agentId: id() },
          { tenantId, agentId: id() },
        ] as const,
      }))([id()] as const),
  });
  scopedConformance(runner, {
    name: `${name}, one agent id in two tenants,`,
    create: () =>
      (([agentId]) => ({
        storage: storage(),
        scopes: [
          { tenantId: id(), agentId },
          { tenantId: id(), agentId },
        ] as const,
      }))([id()] as const),
  });
}
