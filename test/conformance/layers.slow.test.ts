import { describe, it } from "vitest";
import { embeddedStorage, memoryStorage } from "hango";
import { storageConformance } from "hango/testing";
import { bindLayerRules, bindLayers } from "./bind-layers.ts";

bindLayers({ name: "memory", open: memoryStorage, lacks: ["record"] });
bindLayerRules();

storageConformance(
  { describe, it },
  { name: "embedded", lacks: ["writing", "content types", "apply", "record"], create: (files = {}) => embeddedStorage(files) },
);
