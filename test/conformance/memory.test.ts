import { describe, it } from "vitest";
import { guardStorage } from "../../packages/hango/src/layers/guard.ts";
import { resolveLimits } from "../../packages/hango/src/limits.ts";
import { uuidFor } from "../../packages/hango/src/path/uuid.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { memoryStorage } from "../../packages/hango/src/storages/memory.ts";
import { layerConformance } from "../../packages/hango/src/testing/index.ts";
import { bindStorage } from "./bind.ts";

const sessionId = uuidFor("conformance session");
const guarded = (inner: Storage): Storage => guardStorage(inner, { actor: "agent", sessionId, limits: resolveLimits({ maxFileBytes: 32 * 1024 * 1024 }) });

bindStorage({ name: "memory", open: memoryStorage, lacks: ["record"] });
bindStorage({ name: "the guard over memory", open: () => guarded(memoryStorage()), lacks: ["record"] });
layerConformance({ describe, it }, { name: "the guard", wrap: guarded, sets: { actor: "agent", sessionId } });
