import { describe, expect, it } from "vitest";
import type { FilePath, PathFilter } from "../storage.ts";
import { isShown } from "./filter.ts";
import { historyPath, offloadDirectory, placeOf, sessionFilter, systemFilter } from "./reserved.ts";

const sid = "0190a1b2-0000-7000-8000-00000000000a";
const other = "0190a1b2-0000-7000-8000-00000000000b";
const ordinary = { kind: "ordinary" };
const reserved = (name: string, exact: boolean): unknown => ({ kind: "reserved", name, exact });
const machine = (name: string, exact: boolean, sessionId?: string): unknown => ({
  kind: "machine",
  name,
  exact,
  ...(sessionId === undefined ? {} : { sessionId }),
});

describe("placeOf", () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ["", ordinary],
    ["a.md", ordinary],
    ["docs/memories/a.md", ordinary],
    ["memoriesX", ordinary],
    ["memoriesX/a", ordinary],
    ["memorie", ordinary],
    ["memories.md", ordinary],
    [" memories/a", ordinary],
    ["memories\u200b/a", ordinary],
    ["memorieſ/a", ordinary],
    ["s\u212aills/a", ordinary],
    ["large_tool_results2/a", ordinary],
    ["large-tool-results/a", ordinary],
    ["__proto__/a", ordinary],
    ["constructor", ordinary],
    ["memories", reserved("memories", false)],
    ["Memories", reserved("memories", false)],
    ["Memories/a", reserved("memories", false)],
    ["MEMORIES/a/b", reserved("memories", false)],
    ["memories/a", reserved("memories", true)],
    ["memories/A/b.md", reserved("memories", true)],
    ["skills", reserved("skills", false)],
    ["skills/a", reserved("skills", true)],
    ["sKills/a", reserved("skills", false)],
    ["large_tool_results", machine("large_tool_results", false)],
    ["Large_Tool_Results/x", machine("large_tool_results", false)],
    [`LARGE_TOOL_RESULTS/${sid}/x`, machine("large_tool_results", false)],
    [`large_tool_results/${sid}`, machine("large_tool_results", true)],
    [`large_tool_results/${sid}/x`, machine("large_tool_results", true, sid)],
    [`large_tool_results/${sid}/x/y`, machine("large_tool_results", true, sid)],
    ["large_tool_results/s1/x", machine("large_tool_results", true, "s1")],
    ["large_tool_results/s10/x", machine("large_tool_results", true, "s10")],
    [`large_tool_results/${sid.toUpperCase()}/x`, machine("large_tool_results", true, sid.toUpperCase())],
    ["conversation_history", machine("conversation_history", false)],
    ["Conversation_history/a.md", machine("conversation_history", false)],
    [`conversation_history/${sid}.md`, machine("conversation_history", true, sid)],
    [`conversation_history/${sid}.MD`, machine("conversation_history", true)],
    [`conversation_history/${sid}.md.bak`, machine("conversation_history", true)],
    [`conversation_history/${sid}.md/x`, machine("conversation_history", true)],
    [`conversation_history/${sid}`, machine("conversation_history", true)],
    [`conversation_history/x/${sid}.md`, machine("conversation_history", true)],
    ["conversation_history/.md", machine("conversation_history", true)],
  ];
  for (const [path, place] of rows)
    it(`${path === "" ? "the root" : path} is ${JSON.stringify(place)}`, () => {
      expect(placeOf(path as FilePath)).toEqual(place);
    });

  it("a session owns its own paths", () => {
    expect(placeOf(`${offloadDirectory(sid)}/slug` as FilePath)).toEqual(machine("large_tool_results", true, sid));
    expect(placeOf(historyPath(sid))).toEqual(machine("conversation_history", true, sid));
  });
});

describe("visibility", () => {
  const shows = (filter: PathFilter, path: string): boolean => isShown(path, [filter]);

  it("a session sees ordinary and reserved paths, and its own machine paths only", () => {
    const filter = sessionFilter(sid);
    for (const path of [
      "a",
      "memories/a",
      "docs/large_tool_results/x",
      "large_tool_resultsX",
      `large_tool_results/${sid}/a`,
      `large_tool_results/${sid}/a/b`,
      `conversation_history/${sid}.md`,
    ])
      expect(shows(filter, path), path).toBe(true);
    const hidden = [
      "large_tool_results",
      "Large_Tool_Results",
      "Large_Tool_Results/a",
      "conversation_history",
      `large_tool_results/${sid}`,
      `large_tool_results/${other}/a`,
      `large_tool_results/${sid}0/a`,
      `LARGE_tool_results/${sid}/a`,
      `large_tool_results/${sid.toUpperCase()}/a`,
    ];
    for (const path of [
      ...hidden,
      `conversation_history/${other}.md`,
      `conversation_history/${sid}.md.bak`,
      `conversation_history/${sid}.md/x`,
      `Conversation_History/${sid}.md`,
    ])
      expect(shows(filter, path), path).toBe(false);
  });

  it("without a session no machine path is there", () => {
    expect(shows(sessionFilter(undefined), `large_tool_results/${sid}/a`)).toBe(false);
    expect(shows(sessionFilter(undefined), "a")).toBe(true);
  });

  it("the system sees its session's machine paths and nothing else", () => {
    const filter = systemFilter(sid);
    for (const path of [`large_tool_results/${sid}/a`, historyPath(sid)]) expect(shows(filter, path), path).toBe(true);
    for (const path of ["a", "memories/a", "large_tool_results", `large_tool_results/${other}/a`, historyPath(other)])
      expect(shows(filter, path), path).toBe(false);
  });

  it("reads entries as the contract says", () => {
    const filter = (hide: readonly string[], show: readonly string[] = [], hideAnyCase: readonly string[] = []): PathFilter => ({ hide, show, hideAnyCase });
    const rows: readonly (readonly [string, PathFilter, boolean])[] = [
      ["a", filter(["a"]), false],
      ["a/b", filter(["a"]), true],
      ["a", filter(["a/"]), true],
      ["a/b", filter(["a/"]), false],
      ["ab", filter(["a/"]), true],
      ["A/b", filter(["a/"]), true],
      ["A/b", filter([], [], ["a/"]), false],
      ["a/b", filter([], [], ["A/"]), false],
      ["É/b", filter([], [], ["é/"]), true],
      ["a/b/c", filter(["/"], ["a/b/"]), true],
      ["a/b", filter(["/"], ["a/b/"]), false],
      ["x", filter(["/"], ["/"]), true],
      ["", filter(["/"]), false],
      ["", filter(["a"]), true],
    ];
    for (const [path, given, shown] of rows) expect(isShown(path, [given]), `${path} ${JSON.stringify(given)}`).toBe(shown);
  });

  it("every filter must show, and none hides nothing", () => {
    expect(isShown("a", undefined)).toBe(true);
    expect(isShown("a", [])).toBe(true);
    expect(
      isShown("a/b", [
        { hide: ["x"], show: [] },
        { hide: ["a/"], show: [] },
      ]),
    ).toBe(false);
    expect(
      isShown("a/b", [
        { hide: ["a/"], show: ["a/b"] },
        { hide: ["a/"], show: [] },
      ]),
    ).toBe(false);
  });
});
