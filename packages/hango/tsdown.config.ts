import { defineConfig, type UserConfig } from "tsdown";

/** Unbundled: one module in, one module out, so that a bundler drops what it does not use and the worker keeps its own file. */
const config: UserConfig = defineConfig({
  entry: [
    "src/index.ts",
    "src/namespace/context.ts",
    "src/storages/postgres/index.ts",
    "src/storages/osfs/index.ts",
    "src/testing/index.ts",
    "src/adapters/ai-sdk.ts",
    "src/http/index.ts",
    "src/telemetry/index.ts",
    // Started as a Worker, so no import leads to it.
    "src/storages/postgres/driver/pglite-worker.ts",
  ],
  root: "src",
  unbundle: true,
  format: "esm",
  target: "node22.18",
  dts: { generator: "oxc" },
  tsconfig: "../../tsconfig.json",
  logLevel: "warn",
});
export default config;
