import type { Reporter, TestModule } from "vitest/node";

/** Counts what a run did, so that its last line says it in one fixed form. */
export const countReporter = (): Reporter => ({
  onTestRunEnd(modules: readonly TestModule[], errors): void {
    let passed = 0;
    let failed = errors.length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
      }
      const brokenSuite = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0).length;
      failed += brokenSuite + module.errors().length;
    }
    process.once("exit", () => console.log(`${passed} passed, ${failed} failed`));
  },
});
