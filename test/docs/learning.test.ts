import { describe, expect, it } from "vitest";
import { processLimits, PREVIEW_LINES, MAX_PREVIEW_CHARS } from "../../packages/hango/src/limits.ts";
import { fromRoot } from "../../tools/markdown-pages.ts";

const page = fromRoot("docs/learning/08-virtual-filesystem-and-offload.md");

/** The sections of the second level, by heading. */
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split("\n")[0] ?? "", section]),
);

const counted = (value: number): string => value.toLocaleString("en-US");

/** What each section has to speak of. */
const outline: readonly (readonly [heading: string, asked: readonly (string | RegExp)[]])[] = [
  ["Concept", [/filesystem abstraction/, /context bloat, the central problem of agent engineering/]],
  [
    "Design choices",
    [
      /seam/,
      /`Backend`/,
      /Postgres-backed store, namespaced by `\{tenant, agent\}`/,
      /audited by itself/,
      /Line-numbered reads/,
      /grep in SQL/,
      /wrapper around a tool, not code in the loop/,
    ],
  ],
  ["Trade-offs", [/state: /, /store: /, /real disk: /, /Per tenant/, /Per user/, /`\{tenant, agent\}`/, /bytes \/ 4/, /tiktoken/]],
  ["The three-mechanism context strategy", [/Offload/, /Subagents/, /Summarization/, /Why offload must exist before summarization/]],
  ["goclaw", [/path jail/, /real disk/, /no Backend seam/, /memory or skills later/]],
  [
    "deepagents",
    [
      "BackendProtocol",
      "StateBackend",
      "FilesystemBackend",
      "StoreBackend",
      "CompositeBackend",
      "FilesystemMiddleware",
      "FilesystemPermission",
      "_message_eviction.py",
      "{artifacts_root}/large_tool_results/{tool_call_id}",
      "MAX_LINE_LENGTH = 5000",
      "grep_max_count = 1000",
      /20,000 tokens/,
      /5 lines of head and tail/,
      /Parallel file mutation is rejected/,
    ],
  ],
  [
    "Why hango diverges",
    [/vanishes with its thread/, /fixed by tenancy, not supplied by the caller/, /allowlist of its phase 7/, /interrupts of its phase 15/],
  ],
  [
    "How to debug this layer",
    [
      "`hango.fs.operations` by `op` and `error.type`",
      "`fs.*` spans",
      "`tool.result_offloaded`",
      "`GET /v1/agents/{id}/files`",
      "`hango.fs.path`",
      "`hango.fs.bytes`",
    ],
  ],
  ["Namespacing as a security property", [/not fine-grained enough for machine-written paths/, /optimistic versioning beats a within-batch guard/]],
  [
    "Exercises",
    [
      /through the agent and read it back over the API/,
      /Force an offload with a large http_fetch/,
      /Try a traversal path and read the rejection/,
      /Make two writers race and read the conflict/,
    ],
  ],
  ["Time budget", [/13 h of implementation and 2 h for this page/]],
];

describe("the page on the virtual filesystem and offload", () => {
  it("has the sections of its outline, in order, and no other", () => {
    expect([...sections.keys()]).toEqual(outline.map(([heading]) => heading));
  });

  it.each(outline)("%s speaks of what is asked", (heading, asked) => {
    const section = sections.get(heading) ?? "";
    expect(asked.filter((one) => (typeof one === "string" ? !section.includes(one) : !one.test(section)))).toEqual([]);
  });

  it("its numbers are those of the code", () => {
    const choices = sections.get("Design choices") ?? "";
    const { maxReadLines, maxLineChars, maxMatches, toolResultTokens } = processLimits;
    for (const number of [maxReadLines, maxLineChars, maxMatches, toolResultTokens, MAX_PREVIEW_CHARS]) expect(choices).toContain(counted(number));
    expect(choices).toContain(`${PREVIEW_LINES} lines of each end`);
  });

  it("its signals are those that telemetry has", () => {
    const names = fromRoot("packages/hango/src/telemetry/names.ts");
    for (const name of ["hango.fs.operations", "error.type", "hango.fs.path", "hango.fs.bytes", "hango.fs.matches", "tool.result_offloaded"]) {
      expect(names).toContain(`"${name}"`);
      expect(page).toContain(name);
    }
  });
});
