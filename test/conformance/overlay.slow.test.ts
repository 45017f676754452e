import { describe, it } from "vitest";
import { createOverlay, memoryStorage, type Storage } from "hango";
import { layerConformance } from "hango/testing";
import { bindStorage } from "./bind.ts";
import { halfHeld } from "./overlay-half.ts";

const overlaid = (base: Storage): Storage => createOverlay({ base }).storage;

bindStorage({ name: "an overlay over memory", open: () => overlaid(memoryStorage()), lacks: ["record"] });
bindStorage({ name: "an overlay over an overlay", open: () => overlaid(overlaid(memoryStorage())), lacks: ["record"] });
layerConformance({ describe, it }, { name: "an overlay", wrap: overlaid });
halfHeld("memory", memoryStorage);
