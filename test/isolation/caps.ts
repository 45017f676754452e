/** A tree just at the cap of a thousand, its names on both sides of the hidden ones and between them. */
import type { Storage } from "../../packages/hango/src/storage.ts";
import type { Operation } from "../model/operation.ts";
import { ONE } from "../model/paths.ts";
import { createAll } from "./noise.ts";

const HEADS = ["D", "b", "lar", "large_tool_results-", "large_tool_resultt", "z"] as const;

/** Visible files, all of them in the root but one result of the session's own. */
export async function fillToCap(storage: Storage, visible: number): Promise<void> {
  const bytes = new TextEncoder().encode("needle\n");
  const names = Array.from({ length: visible - 1 }, (_, index) => `${HEADS[index % HEADS.length]}${String(index).padStart(4, "0")}`);
  await createAll(
    storage,
    [...names, `large_tool_results/${ONE}/r`].map((path) => [path, bytes]),
  );
}

/** Each counts a thousand files, entries or matches. */
export function capCalls(search: boolean): readonly Operation[] {
  const door = "one";
  return [
    { door, op: "tool.ls" },
    { door, op: "tool.glob", pattern: "**" },
    { door, op: "tool.grep", pattern: "needle" },
    { door, op: "tool.grep", pattern: "needle", mode: "files_with_matches" },
    { door, op: "tool.grep", pattern: "needle", mode: "count" },
    { door, op: "tool.grep", pattern: "needle", include: "*" },
    { door, op: "fs.glob", pattern: "*" },
    { door, op: "fs.grep", pattern: "^n" },
    { door, op: "fs.grep", pattern: "needle", literal: true, ignoreCase: true, context: 1 },
    ...(search ? ([{ door, op: "tool.search", query: "NEEDLE" }] as const) : []),
  ];
}
