import type { Storage, StorageImplementation } from "../storage.ts";
import { defineStorage } from "./define-storage.ts";

/** What a layer says about each method, feature and accelerator: its own, or `undefined` for "not here" (an accelerator is then derived). */
export type LayerImplementation = { readonly [K in keyof Required<StorageImplementation>]: StorageImplementation[K] };

/** Makes a layer: `defineStorage`, but nothing can be forgotten, because every capability has to be named. */
export function defineLayer(layer: LayerImplementation): Storage {
  return defineStorage(layer);
}
