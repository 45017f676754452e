/** What the scripted agent does, each step from what the one before showed it. */
import type { FileSystem } from "hango";
import type { Report } from "./report-tool.ts";
import type { Step } from "./scripted-model.ts";
import { LANDMARK, type Target } from "./target.ts";

/** What the agent leaves in the file it works on, so that a later run can see it. */
export const markOf = (run: number): string => `[run ${run}] the demo agent was here`;
export const markPattern = (): RegExp => /\[run (\d{1,6})\] the demo agent was here/g;

export interface Scene {
  readonly target: Target;
  readonly report: Report;
  readonly run: number;
  /** A second writer: another session on the same files. */
  readonly other: FileSystem;
  readonly meanwhile: (text: string) => void;
}

export function script({ target, report, run, other, meanwhile }: Scene): readonly Step[] {
  const { path, line, number } = target;
  const note = markOf(run);
  const window = { path, offset: Math.max(1, number - 2), limit: 6 };
  let offloaded = "";
  const confirm = { tool: "edit_file", input: { path, old_string: note, new_string: `${note}, and looked twice` } };
  return [
    () => ({ tool: "ls", input: { path: "/" } }),
    () => ({ tool: "grep", input: { pattern: LANDMARK, include: path, max_count: 5 } }),
    () => ({ tool: "read_file", input: { path } }),
    () => ({ tool: "edit_file", input: { path, old_string: line, new_string: `${line}\n${note}` } }),
    () => ({ tool: "project_report", input: {} }),
    (seen) => {
      offloaded = /^It is saved as (\/large_tool_results\/\S+)$/m.exec(seen)?.[1] ?? "";
      return offloaded === "" ? undefined : { tool: "grep", input: { pattern: report.needle(), literal: true, path: offloaded } };
    },
    (seen) => (offloaded === "" ? undefined : { tool: "read_file", input: { path: offloaded, offset: Number(/:(\d+):/.exec(seen)?.[1] ?? 1), limit: 5 } }),
    async () => {
      meanwhile(`a second session edits ${path} behind the agent's back`);
      await other.edit(path, note, `${note} (a colleague agrees)`);
      return confirm;
    },
    () => ({ tool: "read_file", input: window }),
    () => confirm,
    () => ({
      say: `I marked ${path}, ${offloaded === "" ? "read the whole report, which was small enough," : `found "${report.needle()}" in the report without reading all of it,`} and took a colleague's edit into account instead of losing it.`,
    }),
  ];
}
