/** `npm run check`: the parts that only read run side by side, then the fast tests, which want the machine to themselves. */
import { spawnSync } from "node:child_process";
import { type CheckPart, runPart } from "./check-part.ts";

const parts: readonly CheckPart[] = [
  { name: "lint", command: "oxlint" },
  { name: "types", command: "npm run --silent types" },
  { name: "unused code", command: "knip" },
  { name: "format", command: "oxfmt --check ." },
];

const results = await Promise.all(
  parts.map(async (part) => {
    const result = await runPart(part);
    console.log(`${result.ok ? "ok" : "FAILED"}  ${result.name}, ${result.took.toFixed(1)} s`);
    return result;
  }),
);
const failed = results.filter(({ ok }) => !ok);
for (const { name, output } of failed) console.error(`\n${name}:\n${output.trimEnd()}`);
process.exitCode = failed.length > 0 ? 1 : (spawnSync("npm run test:fast", { shell: true, stdio: "inherit" }).status ?? 1);
