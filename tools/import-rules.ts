/**
 * Who may import whom, as a whitelist: an import that no row grants is an error.
 * A row is read "files that match `from` may import what matches one of `to`"; $1 is the first group of `from`.
 */
import type { ICruiseOptions, IFlattenedRuleSet } from "dependency-cruiser";

interface Grant {
  readonly from: string;
  readonly to: readonly string[];
}

const src = "^packages/hango/src/";
const ring0: readonly string[] = [`${src}(errors|limits|storage|filesystem|tenancy)\\.ts$`];
const pure: readonly string[] = [...ring0, `${src}(path|text)/`];
/** What a storage or a layer stands on. */
const below: readonly string[] = [...pure, `${src}contract/`];
const files: readonly string[] = [...below, `${src}fs/`];
const namespace = `${src}namespace/namespace\\.ts$`;
const entries = `${src}(index|namespace/context|storages/postgres/index|storages/osfs/index|testing/index|adapters/ai-sdk|http/index|telemetry/index)\\.ts$`;

const npm = (...names: readonly string[]): string => `(^|/)node_modules/(@types/)?(${names.join("|")})/`;
const node = (...names: readonly string[]): string => `^(node:)?(${names.join("|")})$`;

const grants: readonly Grant[] = [
  { from: `${src}(errors|limits|storage|filesystem|tenancy)\\.ts$`, to: ring0 },
  // Types only: the compiled pattern is part of the vocabulary of a storage.
  { from: `${src}storage\\.ts$`, to: [`${src}text/glob\\.ts$`, `${src}text/pattern/pattern\\.ts$`] },

  { from: `${src}(path|text)/`, to: pure },
  { from: `${src}text/diff\\.ts$`, to: [npm("diff")] },
  { from: `${src}contract/`, to: below },
  { from: `${src}fs/`, to: files },
  { from: `${src}namespace/`, to: [...pure, `${src}namespace/`] },
  { from: `${src}namespace/context\\.ts$`, to: [node("async_hooks")] },

  // Its own folder ("storages/postgres/…" or "layers/guard.ts" with "layers/guard/…"), never a sibling.
  { from: `${src}(storages|layers)/([^/.]+)`, to: [...below, `${src}$1/$2[/.]`] },
  { from: `${src}storages/postgres/`, to: [namespace, npm("kysely")] },
  {
    from: `${src}storages/postgres/driver/`,
    to: [npm("pg", "@electric-sql/pglite"), node("fs", "fs/promises", "module", "os", "path", "url", "worker_threads", "crypto")],
  },
  { from: `${src}storages/osfs/`, to: [node("fs", "path", "crypto", "util", "timers/promises")] },

  { from: `${src}session/`, to: [...files, namespace, `${src}session/`, `${src}layers/guard[/.]`] },
  { from: `${src}tools/`, to: [...files, `${src}(session|tools)/`, npm("zod")] },
  { from: `${src}adapters/([^/.]+)`, to: [...ring0, `${src}(session|tools)/`, `${src}adapters/$1[/.]`, npm("zod")] },
  { from: `${src}adapters/ai-sdk`, to: [npm("ai", "@ai-sdk/[^/]+")] },
  { from: `${src}http/`, to: [...files, `${src}session/`, `${src}http/`, npm("hono", "@hono/zod-openapi", "zod")] },
  {
    from: `${src}telemetry/`,
    to: [...below, `${src}(session|telemetry)/`, `${src}(tools/tool|fs/tree-look)\\.ts$`, npm("@opentelemetry/api", "@opentelemetry/api-logs")],
  },
  { from: `${src}testing/`, to: [...below, `${src}testing/`] },
  { from: `${src}index\\.ts$`, to: [...files, namespace, `${src}storages/(memory|embedded)\\.ts$`, `${src}(layers|session|tools)/`] },

  // The composition root knows every door, and only doors.
  { from: "^packages/cli/(src|bin)/", to: [entries, "^packages/cli/", "(^|/)node_modules/", node(".+")] },
  // The bench times what lies beneath the doors, on the servers of the tests.
  { from: "^packages/bench/src/", to: ["^packages/(bench|hango)/src/", "^test/support/", "(^|/)node_modules/", node(".+")] },
  { from: "^packages/hango/scripts/|^packages/[^/]+/[^/]+\\.config\\.ts$", to: ["^packages/hango/(src|dist)/", "(^|/)node_modules/", node(".+")] },
  // Tests and the repository's own tools are free inside the repository.
  { from: "\\.test\\.ts$|^(test|tools|examples)/|^packages/[^/]+/test/", to: ["^(?!\\.\\./)"] },
];

const rules: IFlattenedRuleSet = {
  allowedSeverity: "error",
  allowed: grants.map(({ from, to }) => ({ from: { path: from }, to: { path: [...to] } })),
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-code-below-storage-types",
      severity: "error",
      from: { path: `${src}storage\\.ts$` },
      to: { path: `${src}text/`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-test-code-in-the-library",
      severity: "error",
      from: { pathNot: "\\.test\\.ts$|^(test|tools|packages/bench)/" },
      to: { path: "\\.test\\.ts$|^test/" },
    },
  ],
};

export const importRules: ICruiseOptions = {
  ruleSet: rules,
  validate: true,
  tsPreCompilationDeps: true,
  doNotFollow: { path: "(^|/)node_modules/" },
  exclude: { path: "(^|/)dist/" },
  enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "node", "default"], mainFields: ["types", "module", "main"] },
};
