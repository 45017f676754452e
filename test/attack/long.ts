/** The long run: HANGO_ATTACK_SECONDS (default 60). Ends with 1 when anything came across the root. */
import { runAttack } from "./attack.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = Number(process.env["HANGO_ATTACK_SECONDS"] ?? 60);
const report = await runAttack(seconds);
for (const [outcome, count] of [...report.outcomes].sort()) print(`${String(count).padStart(9)}  ${outcome}`);
for (const escape of report.escapes) print(escape);
print(
  `osfs under attack: ${report.operations} operations, ${report.swaps} swaps, ${report.escapes.length} escapes, ${report.drafts} drafts and ${report.descriptors} descriptors left, ${seconds} s, ${(process.cpuUsage().user + process.cpuUsage().system) / 1e6} s of CPU here`,
);
process.exitCode = report.escapes.length + report.drafts + report.descriptors === 0 ? 0 : 1;
