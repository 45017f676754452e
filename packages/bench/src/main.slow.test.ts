import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { operations } from "./core/operations.ts";
import type { Report } from "./core/report.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "hango-bench-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Several engines to start and fill, on a machine that may be busy. */
const TIMEOUT_MS = 300_000;

describe("npm run bench -- core", () => {
  it(
    "runs every operation on both engines, answers alike to the bare statements, and writes a table and JSON",
    () => {
      const file = join(directory, "core.json");
      const args = ["core", "--files", "100", "--rounds", "1", "--json", file];
      const table = execFileSync(process.execPath, [main, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
      const report = JSON.parse(readFileSync(file, "utf8")) as Report;
      const measured = [...report.figures, ...report.timeouts].map(({ engine, operation }) => `${engine} ${operation}`);
      expect(measured.toSorted()).toEqual(["postgres", "pglite"].flatMap((engine) => operations.map(({ name }) => `${engine} ${name}`)).toSorted());
      expect(report.command).toBe(`npm run bench -- ${args.join(" ")}`);
      expect(report.engines["postgres"]).toContain("fsync on");
      for (const { name } of operations) expect(table).toContain(name);
    },
    TIMEOUT_MS,
  );

  it("says what it takes, and ends with 2, for what it does not know", () => {
    for (const args of [[], ["nothing"], ["core", "--files", "99"], ["core", "--engines", "sqlite"], ["core", "--rounds", "0"], ["core", "--fsync", "maybe"]]) {
      const run = (): string => execFileSync(process.execPath, [main, ...args], { encoding: "utf8", stdio: "pipe" });
      expect(run, args.join(" ")).toThrow(expect.objectContaining({ status: 2, stderr: expect.stringContaining("npm run bench -- core") }));
    }
  });
});
