import { HangoError } from "../errors.ts";
import { parseUuid } from "../path/uuid.ts";
import type { Namespace } from "../storage.ts";

/** Takes who owns a tree; upper case is lowered. Errors: invalid_argument for what is not two UUIDs, naming which. */
export function parseNamespace(namespace: Namespace): Namespace {
  if (typeof namespace !== "object" || namespace === null) throw new HangoError("invalid_argument", "A namespace is { tenantId, agentId }, both UUIDs.");
  return { tenantId: parseUuid(namespace.tenantId, "tenantId"), agentId: parseUuid(namespace.agentId, "agentId") };
}
