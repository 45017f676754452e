/** The calls of session one: a script that touches every operation at every place, and random ones after it. */
import * as fc from "fast-check";
import type { Door, Operation } from "../model/operation.ts";
import { operation } from "../model/operations.ts";
import { filePathOf, ONE, TWO } from "../model/paths.ts";
import { hiddenPaths } from "./noise.ts";

const put = (door: Door, path: string, content: string): Operation => ({ door, op: "put", path, content });

/** Places where the noise is, or would be. */
const PLACES: readonly string[] = [
  "",
  "a",
  "b",
  "large_tool_results",
  `large_tool_results/${ONE}`,
  `large_tool_results/${ONE}/r`,
  `large_tool_results/${TWO}`,
  `large_tool_results/${TWO}/00001.md`,
  `large_tool_results/${TWO}/00001.md/below`,
  "conversation_history",
  `conversation_history/${ONE}.md`,
  `conversation_history/${ONE}`,
  `conversation_history/${TWO}.md`,
  "Large_Tool_Results",
  `Large_Tool_Results/${ONE}/r`,
  "LARGE_TOOL_RESULTS",
  "LARGE_TOOL_RESULTS/x",
  "Conversation_history",
  "nothing",
];

/** `stride` takes only each so-manieth call; the whole is thousands of them. */
export function script(stride: number): readonly Operation[] {
  const own: readonly Operation[] = [
    put("one", "a", "foo\nneedle\n"),
    put("one", "b/x.md", "needle needle\n"),
    put("owner", "m/binary", "needle\0"),
    put("owner", "memories/m.md", "needle\n"),
    put("system", `large_tool_results/${ONE}/r`, "needle in a result\n"),
    put("system", `conversation_history/${ONE}.md`, "needle in a history\n"),
  ];
  const doors: readonly Door[] = ["one", "operator", "visitor", "system"];
  const everywhere = doors.flatMap((door) => [...PLACES, ...hiddenPaths(3)].flatMap((path) => callsAt(door, path))).filter((_, index) => index % stride === 0);
  return [...own, ...everywhere.filter(isQuiet), ...own.slice(0, 2), ...everywhere.filter((one) => !isQuiet(one))];
}

/** Reads only. */
function isQuiet({ op }: Operation): boolean {
  return !/put|remove|apply|write|edit|delete/u.test(op);
}

function callsAt(door: Door, path: string): readonly Operation[] {
  const shown = `/${path}`;
  const calls: readonly Operation[] = [
    { door, op: "list", prefix: path },
    { door, op: "list", prefix: path, limit: 1 },
    { door, op: "list", after: path, limit: 2 },
    { door, op: "stat", path },
    { door, op: "ls", path },
    { door, op: "ls", path: "", after: path, limit: 1 },
    { door, op: "glob", pattern: "**", path, limit: 3 },
    { door, op: "grep", pattern: "needle", path, context: 1, limit: 3 },
    { door, op: "fs.ls", path: shown },
    { door, op: "fs.stat", path: shown },
    { door, op: "fs.read", path: shown },
    { door, op: "fs.glob", pattern: "*", root: shown },
    { door, op: "fs.grep", pattern: "needle", path: shown },
    { door, op: "fs.write", path: shown, text: "mine\n" },
    { door, op: "fs.edit", path: shown, oldText: "needle", newText: "pin", replaceAll: true },
    { door, op: "fs.delete", path: shown, ifVersion: "current" },
    { door, op: "fs.delete", path: shown, recursive: true },
  ];
  const named: readonly Operation[] =
    path === ""
      ? []
      : [
          { door, op: "read", path },
          { door, op: "lines", path, offset: 1, limit: 1, column: 1, maxLineChars: 5 },
          { door, op: "put", path, content: "mine\n", ifVersion: "current" },
          { door, op: "remove", path, ifVersion: "current" },
          { door, op: "apply", mutations: [{ kind: "create", path, content: "mine\n" }] },
          { door, op: "apply", mutations: [{ kind: "delete", path, content: "", ifVersion: "current" }] },
        ];
  return [...calls, ...named, ...(door === "system" ? [] : toolCallsAt(door, shown))];
}

function toolCallsAt(door: Door, path: string): readonly Operation[] {
  return [
    { door, op: "tool.ls", path },
    { door, op: "tool.read_file", path },
    { door, op: "tool.glob", pattern: "**/*.md", path },
    { door, op: "tool.grep", pattern: "needle", path, mode: "content" },
    { door, op: "tool.grep", pattern: "needle", path, mode: "count" },
    { door, op: "tool.write_file", path, content: "mine\n" },
    { door, op: "tool.edit_file", path, oldText: "mine", newText: "yours" },
    { door, op: "tool.delete_file", path, recursive: true },
  ];
}

/** Random calls; the owner only sets the scene, away from the machine files. */
export function randomCalls(seed: number, count: number, search: boolean): readonly Operation[] {
  const drawn = fc.sample(operation({ search }), { seed, numRuns: count });
  return drawn.filter((one) => one.door !== "other" && one.door !== "two" && (one.door !== "owner" || isOrdinaryWrite(one)));
}

function isOrdinaryWrite(one: Operation): boolean {
  if (one.op === "apply") return one.mutations.every(({ path }) => isOrdinary(path));
  if (one.op === "put" || one.op === "remove") return isOrdinary(one.path);
  return one.op === "fs.write" && isOrdinary(filePathOf(one.path));
}

function isOrdinary(path: string): boolean {
  return !/^(?:large_tool_results|conversation_history)(?:\/|$)/iu.test(path);
}
