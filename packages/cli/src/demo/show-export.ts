/** Writes the store's files out again and shows what differs from the directory they came from. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionFilter, unifiedDiff } from "hango";
import { diffFacts, summary } from "../agent/show-diff.ts";
import { closing, interrupted } from "../interrupt.ts";
import { count, counted, size } from "../output.ts";
import type { ImportTarget } from "../transfer/import-tree.ts";
import { writeTree } from "../transfer/write-tree.ts";
import { type CompareOptions, compareTrees } from "./compare-trees.ts";
import type { Screen } from "./screen.ts";

export interface RoundTrip extends ImportTarget {
  /** What was imported, and by which rules. */
  readonly directory: string;
  readonly compare: CompareOptions;
}

/** The copy is compared and removed. */
export async function showExport(out: Screen, { files, namespace, directory, compare }: RoundTrip): Promise<void> {
  out.title("The tree, exported again and compared with yours");
  const place = await mkdtemp(join(tmpdir(), "hango-demo-"));
  const remove = closing(() => rm(place, { recursive: true, force: true }));
  try {
    const started = performance.now();
    const copy = join(place, "copy");
    const exported = await writeTree(files.dump(namespace, { filters: [sessionFilter(undefined)], signal: interrupted }), copy, { signal: interrupted });
    const seconds = (performance.now() - started) / 1000;
    out.fact("exported", `${counted(exported.files, "file")}, ${size(exported.bytes)} in ${seconds.toFixed(1)} s`);
    if (exported.skipped.length > 0)
      out.fact("not written", `${count(exported.skipped.length)}, such as ${exported.skipped[0]?.path} (${exported.skipped[0]?.reason})`);
    const { equal, different, changes } = await compareTrees(directory, copy, compare);
    out.fact("equal", `${counted(equal, "file")}, byte for byte`);
    if (different === 0) return;
    const diff = unifiedDiff(changes);
    const kinds = changes.map(({ kind }) => kind);
    out.fact("different", `${summary(kinds, diffFacts(diff))}${different > kinds.length ? ` in the first ${count(kinds.length)} of ${count(different)}` : ""}`);
    out.diff(diff);
  } finally {
    await remove();
  }
}
