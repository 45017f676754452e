/** What an import says at its end. */
import { count, counted, size } from "../output.ts";
import type { ImportReport } from "./import-tree.ts";
import { listed } from "./named.ts";
import { leftOutNames } from "./walk-tree.ts";

export interface TellImportOptions {
  readonly seconds: number;
  /** Name every file that was not stored, not only the first few. */
  readonly all: boolean;
}

export function tellImport(report: ImportReport, { seconds, all }: TellImportOptions): readonly string[] {
  const { files, replaced, bytes, unchanged, kept, older, refused, left, skipped, skippedCount, leftOut, passedBy } = report;
  const took = `in ${seconds.toFixed(1)} s`;
  const rate = seconds > 0 ? `, ${size(Math.round(bytes / seconds))}/s` : "";
  const lines = [
    `imported ${counted(files, "new file")}${replaced === 0 ? "" : ` and wrote over ${count(replaced)}`}${files + replaced === 0 ? ` ${took}` : `: ${size(bytes)} ${took}${rate}`}`,
  ];
  if (unchanged > 0) lines.push(`${count(unchanged)} there already, with the same content`);
  if (older > 0) lines.push(`${count(older)} kept: not older than the ones given`);
  if (kept > 0)
    lines.push(
      `${count(kept)} kept, though the content differs: ${listed(
        left.filter(({ kind }) => kind === "kept").map(({ path }) => path),
        kept,
        { all },
      )}`,
      "  to write over them: --overwrite, or --if-newer for those that are older",
    );
  const refusals = [...left.filter(({ kind }) => kind === "refused"), ...skipped].map(({ path, reason }) => `${path} (${reason})`);
  const notStored = refused + skippedCount;
  if (notStored > 0) lines.push(`${count(notStored)} not stored: ${listed(refusals, notStored, { all })}`);
  if (passedBy > 0) lines.push(`${count(passedBy)} passed by, as the rules ask`);
  if (leftOut.length > 0) lines.push(`left out at any depth: ${leftOutNames(leftOut)}`);
  return lines;
}
