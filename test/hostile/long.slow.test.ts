import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("long.ts", import.meta.url));

it("the long run prints a table for each storage and ends with the faults", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--inputs", "3", "--seed", "2", "--storage", "memory", "--kib", "32"]);
  expect(stdout).toMatch(/^memory, seed 2 +grep +glob +edit +all\ninputs +\d+ +\d+ +\d+ +3$/mu);
  expect(stdout.trimEnd()).toMatch(/\n0 faults$/u);
});
