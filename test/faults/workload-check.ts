/** Holds what clients were answered against what is stored. */
import { type Query, stateFaults } from "./audit-check.ts";
import { type Answered, GROUP_SIZE } from "./workload.ts";

export interface Checked {
  readonly acknowledged: number;
  readonly refused: number;
  readonly unavailable: number;
  readonly longestMs: number;
  readonly faults: readonly string[];
}

/** Codes that leave the outcome open; every other refusal says that nothing was done. */
const OPEN: ReadonlySet<string> = new Set(["unavailable", "timeout"]);

/** `unfinished`: ids of calls that were never answered are in the record too, since their process was killed. */
export async function checkAnswers(answers: readonly Answered[], query: Query): Promise<Checked> {
  const recorded = new Map(
    (await query("select tool_call_id as id, count(*) as n, max(version) as version from hango.audit_events group by 1")).map((row) => [
      String(row["id"]),
      row,
    ]),
  );
  const faults = [...(await stateFaults(query)), ...(await tornGroups(query))];
  let longestMs = 0;
  const counts = { ok: 0, refused: 0, open: 0 };
  for (const { id, kind, answer, rows, version, ms } of answers) {
    longestMs = Math.max(longestMs, ms);
    const row = recorded.get(id);
    const found = Number(row?.["n"] ?? 0);
    counts[answer === "ok" ? "ok" : OPEN.has(answer) ? "open" : "refused"] += 1;
    if (answer === "ok" && found !== rows) faults.push(`the ${kind} ${id} was acknowledged and has ${found} of ${rows} rows in the record`);
    if (answer === "ok" && version !== undefined && row?.["version"] !== version)
      faults.push(`the ${kind} ${id} was answered ${version} and recorded ${String(row?.["version"])}`);
    if (answer !== "ok" && !OPEN.has(answer) && found > 0) faults.push(`the ${kind} ${id} was refused (${answer}) and done`);
    if (kind === "apply" && found !== 0 && found !== GROUP_SIZE) faults.push(`the apply ${id} was half done: ${found} rows`);
  }
  return { acknowledged: counts.ok, refused: counts.refused, unavailable: counts.open, longestMs: Math.round(longestMs), faults };
}

/** A commit writes all files of a group, with one content. */
async function tornGroups(query: Query): Promise<readonly string[]> {
  const rows = await query(
    `select agent_id::text as agent, split_part(path, '/', 2) as directory, count(*) as files, count(distinct content) as contents
      from hango.agent_files where path like '/g%' group by 1, 2 having count(*) <> ${GROUP_SIZE} or count(distinct content) <> 1`,
  );
  return rows.map(
    (row) => `a half commit: ${String(row["directory"])} of ${String(row["agent"])} has ${String(row["files"])} files of ${String(row["contents"])} contents`,
  );
}
