import { describe, expect, it } from "vitest";
import { testGroup, testGroups } from "./check-groups.ts";

const plain = 'import { expect, it } from "vitest";\nimport { joinPath } from "./path.ts";\n';

describe("a test file's group", () => {
  it.each([
    ["packages/hango/src/path/path.test.ts", plain, "pure"],
    ["packages/cli/src/size.test.ts", plain, "pure"],
    ["packages/hango/src/path/path.test.ts", `${plain}vi.useFakeTimers();`, "apart"],
    ["packages/hango/src/path/path.test.ts", `${plain}globalThis.crypto = other;`, "apart"],
    ["packages/hango/src/path/path.test.ts", `${plain}process.env["A"] = "1";`, "apart"],
    ["packages/hango/src/path/path.test.ts", `${plain}import { spawn } from "node:child_process";`, "apart"],
    ["packages/hango/src/path/path.test.ts", `${plain}import { trace } from "@opentelemetry/api";`, "apart"],
    ["packages/hango/src/namespace/namespace.test.ts", plain, "apart"],
    ["test/model/memory.test.ts", plain, "apart"],
    ["packages/hango/src/path/path.slow.test.ts", plain, "real"],
    ["packages/hango/src/storages/postgres/a.pg.test.ts", plain, "real"],
    ["packages/hango/src/storages/postgres/a.pglite.test.ts", plain, "real"],
  ])("%s, case %#", (file, source, group) => {
    expect(testGroup(file, source)).toBe(group);
  });

  it("is one of three, and no file is in two", () => {
    const { pure, apart, real } = testGroups();
    const all = [...pure, ...apart, ...real];
    expect(new Set(all).size).toBe(all.length);
    expect(apart).toContain("tools/check-groups.test.ts");
    expect(Math.min(pure.length, apart.length, real.length)).toBeGreaterThan(0);
  });
});
