/** hango/testing: the conformance suite for storages, scoped storages and layers, for any test runner. */
export type { CaseGroup, Need, StorageCase } from "./case.ts";
export { storageCases } from "./cases/index.ts";
export { storageConformance, type ConformanceSubject, type TestRunner } from "./conformance.ts";
export { differentialCase } from "./differential.ts";
export { layerConformance, type LayerSubject } from "./layers.ts";
export { runModel, type ModelOptions } from "./model.ts";
export { scopedCases, scopedConformance, type ScopedFixture, type ScopedSubject } from "./scoped.ts";
export { withoutAccelerators } from "./without-accelerators.ts";
