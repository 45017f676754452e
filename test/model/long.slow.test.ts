import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("long.ts", import.meta.url));

it("the long run ends with one line of figures", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--operations", "200", "--seed", "7"]);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^memory: \d+ operations, 0 divergences, seeds 7 to \d+, [\d.]+ s, \d+ operations\/s$/u);
});
