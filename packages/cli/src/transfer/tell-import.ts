/** What an import says at its end. */
import { count, counted, plain, size } from "../output.ts";
import type { ImportReport } from "./import-tree.ts";

const NAMED = 5;

export function tellImport(report: ImportReport, seconds: number): readonly string[] {
  const { files, replaced, bytes, unchanged, kept, older, refused, left, skipped, skippedCount, leftOut, passedBy } = report;
  const rate = seconds > 0 ? `, ${size(Math.round(bytes / seconds))}/s` : "";
  const lines = [
    `imported ${counted(files, "new file")}${replaced === 0 ? "" : ` and wrote over ${count(replaced)}`}: ${size(bytes)} in ${seconds.toFixed(1)} s${rate}`,
  ];
  if (unchanged > 0) lines.push(`${count(unchanged)} there already, with the same content`);
  if (older > 0) lines.push(`${count(older)} kept: not older than the ones given`);
  if (kept > 0)
    lines.push(
      `${count(kept)} kept, though the content differs: ${named(
        left.filter(({ kind }) => kind === "kept").map(({ path }) => path),
        kept,
      )}`,
      "  to write over them: --overwrite, or --if-newer for those that are older",
    );
  const refusals = [...left.filter(({ kind }) => kind === "refused"), ...skipped].map(({ path, reason }) => `${path} (${reason})`);
  const notStored = refused + skippedCount;
  if (notStored > 0) lines.push(`${count(notStored)} not stored: ${named(refusals, notStored)}`);
  if (passedBy > 0) lines.push(`${count(passedBy)} passed by, as the rules ask`);
  if (leftOut.length > 0) lines.push(`left out at any depth: ${leftOut.join(", ")}`);
  return lines;
}

/** The first few, and how many more. */
export function named(names: readonly string[], total: number): string {
  const shown = names.slice(0, NAMED).map(plain).join(", ");
  const more = total - Math.min(NAMED, names.length);
  return more > 0 ? `${shown} and ${count(more)} more` : shown;
}
