import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { testGroups } from "./tools/check-groups.ts";
import { countReporter } from "./tools/count-reporter.ts";

/** The public entries, so that tests and the CLI always run against the sources and never against a stale dist. */
const sources = new URL("./packages/hango/src/", import.meta.url);
const source = (file: string): string => fileURLToPath(new URL(file, sources));

const groups = testGroups();

const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: [
      { find: /^hango$/, replacement: source("index.ts") },
      { find: /^hango\/context$/, replacement: source("namespace/context.ts") },
      { find: /^hango\/postgres$/, replacement: source("storages/postgres/index.ts") },
      { find: /^hango\/osfs$/, replacement: source("storages/osfs/index.ts") },
      { find: /^hango\/testing$/, replacement: source("testing/index.ts") },
      { find: /^hango\/ai-sdk$/, replacement: source("adapters/ai-sdk.ts") },
      { find: /^hango\/telemetry$/, replacement: source("telemetry/index.ts") },
      { find: /^hango\/http$/, replacement: source("http/index.ts") },
    ],
  },
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", countReporter()],
    projects: [
      { extends: true, test: { name: "pure", include: groups.pure, isolate: false } },
      { extends: true, test: { name: "apart", include: groups.apart } },
      { extends: true, test: { name: "real", include: groups.real, globalSetup: ["./test/support/global-postgres.ts"] } },
    ],
  },
});
export default config;
