/** Which test files share a process: vitest's three projects. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type TestGroup = "pure" | "apart" | "real";

const root = fileURLToPath(new URL("..", import.meta.url));
const everywhere = ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "test/**/*.test.ts", "tools/*.test.ts"];
const pureFolders = /^packages\/[^/]+\/src\/(?!adapters\/|namespace\/)/;

/** What all modules of a process share: vitest's mocks and clocks, globals, the environment, other processes and threads. */
const shared = /\bvi\b|\bglobalThis\b|\bprocess\b|node:(?!buffer|assert)|setGlobal|@opentelemetry/;

/**
 * `pure` tests are calls and answers in memory: their files share a process and its modules, since starting each costs most.
 * `apart` has a process for each file. `real` needs a database, a subprocess or time: the check leaves it out.
 */
export function testGroup(file: string, source: string): TestGroup {
  if (/\.(?:slow|pg|pglite)\.test\.ts$/.test(file)) return "real";
  return pureFolders.test(file) && !shared.test(source) ? "pure" : "apart";
}

/** Every test file, in exactly one group. */
export function testGroups(): Readonly<Record<TestGroup, string[]>> {
  const groups: Record<TestGroup, string[]> = { pure: [], apart: [], real: [] };
  for (const file of globSync(everywhere, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] }).sort()) {
    groups[testGroup(file.replaceAll("\\", "/"), readFileSync(root + file, "utf8"))].push(file);
  }
  return groups;
}
