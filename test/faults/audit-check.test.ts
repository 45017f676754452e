import { describe, expect, it } from "vitest";
import { type Query, stateFaults } from "./audit-check.ts";

type Event = readonly [action: "write" | "delete", token: string, previous?: string];

function check(events: readonly Event[], files: readonly string[], usage: readonly object[] = []): Promise<readonly string[]> {
  const query: Query = async (text) => {
    if (text.includes("agent_usage")) return [...usage] as never;
    const recorded = events.map(([action, token, previous]) => ({
      action: `file.${action}`,
      path: "/p",
      version: action === "write" ? token : null,
      previous_version: action === "write" ? (previous ?? null) : token,
    }));
    return [...recorded, ...files.map((version) => ({ action: "file", path: "/p", version, previous_version: null }))];
  };
  return stateFaults(query);
}

describe("the check of a stored state", () => {
  it("accepts files whose every version has its row, and deletes whose file is gone", async () => {
    const events: Event[] = [
      ["write", "a.1"],
      ["write", "a.2", "a.1"],
      ["delete", "a.2"],
      ["write", "b.1"],
    ];
    expect(await check(events, ["b.1"], [{ files: 1, bytes: "3", kept_files: 1, kept_bytes: 3 }])).toEqual([]);
  });

  it.each<readonly [string, readonly Event[], readonly string[], RegExp]>([
    ["a write without its row", [["write", "a.1"]], ["a.2"], /a\.2 was written and has 0 rows/],
    [
      "a row without its write",
      [
        ["write", "a.1"],
        ["write", "a.2", "a.1"],
      ],
      ["a.1"],
      /a\.2 is recorded and was never written/,
    ],
    [
      "a write recorded twice",
      [
        ["write", "a.1"],
        ["write", "a.1"],
      ],
      ["a.1"],
      /has 2 rows/,
    ],
    ["a delete without its row", [["write", "a.1"]], [], /gone without a row/],
    [
      "a row of a delete that was not made",
      [
        ["write", "a.1"],
        ["delete", "a.1"],
      ],
      ["a.1"],
      /recorded as deleted 1 times, and is there at 1/,
    ],
    [
      "a wrong version before",
      [
        ["write", "a.1"],
        ["write", "a.2", "z.9"],
      ],
      ["a.2"],
      /recorded over z\.9/,
    ],
  ])("finds %s", async (_, events, files, message) => {
    expect((await check(events, files)).join("\n")).toMatch(message);
  });

  it("finds counts that are off", async () => {
    expect(await check([], [], [{ agent: "x", files: 2, bytes: "5", kept_files: 1, kept_bytes: 5 }])).toEqual([
      "the counts of x say 1 files of 5 bytes, and there are 2 of 5",
    ]);
  });
});
