import { describe, expect, it } from "vitest";
import type { Call, Effect } from "./cas-history.ts";
import { type Recorded, violations } from "./linearizable.ts";

const wrote = (version: string): Effect => ({ kind: "wrote", version });
const saw = (version?: string): Effect => ({ kind: "saw", version });
const deleted: Effect = { kind: "deleted" };

/** [id, start, end, effect, expected?] */
type Line = readonly [string, number, number, Effect, string?];

function check(lines: readonly Line[], deletes: Readonly<Record<string, string>> = {}): readonly string[] {
  const record = new Map<string, Recorded>(Object.entries(deletes).map(([id, version]) => [id, { kind: "deleted", version }]));
  const calls = lines.map(([id, start, end, effect, expected]): Call => ({
    id,
    path: "p",
    start,
    end,
    effect,
    ...(expected === undefined ? {} : { expected }),
  }));
  return violations(calls, record);
}

describe("a history of versions", () => {
  it("that could have happened one call after the other is accepted, however the calls overlap", () => {
    expect(
      check(
        [
          ["create", 0, 4, wrote("a.1"), "absent"],
          ["early look", 1, 2, saw()],
          ["update", 3, 9, wrote("a.2"), "a.1"],
          ["late look at the old", 5, 8, saw("a.1")],
          ["delete", 10, 12, deleted, "a.2"],
          ["look", 11, 13, saw()],
          ["create again", 11, 14, wrote("b.1")],
          ["blind update", 20, 21, wrote("b.2")],
          ["stale", 22, 23, saw("b.2"), "a.2"],
        ],
        { delete: "a.2" },
      ),
    ).toEqual([]);
  });

  it("accepts a life that lies within a moment of another's first call", () => {
    expect(
      check(
        [
          ["a", 1, 10, wrote("a.1")],
          ["da", 2, 11, deleted],
          ["b", 3, 5, wrote("b.1")],
          ["b2", 20, 21, wrote("b.2")],
        ],
        { da: "a.1" },
      ),
    ).toEqual([]);
  });

  it.each<readonly [string, readonly Line[], Readonly<Record<string, string>>, RegExp]>([
    [
      "one token with two winners",
      [
        ["a", 0, 1, wrote("a.1")],
        ["b", 2, 5, wrote("a.2"), "a.1"],
        ["c", 2, 5, wrote("a.2"), "a.1"],
      ],
      {},
      /both wrote a\.2/,
    ],
    [
      "a lost update",
      [
        ["a", 0, 1, wrote("a.1")],
        ["b", 2, 3, wrote("a.3"), "a.1"],
      ],
      {},
      /b wrote a\.3 over a\.1/,
    ],
    [
      "a stale read",
      [
        ["a", 0, 1, wrote("a.1")],
        ["b", 2, 3, wrote("a.2")],
        ["c", 4, 5, saw("a.1")],
      ],
      {},
      /b comes after c|c comes after b|which started when it was over/,
    ],
    [
      "a read from the future",
      [
        ["c", 0, 1, saw("a.1")],
        ["a", 2, 3, wrote("a.1")],
      ],
      {},
      /c comes after a/,
    ],
    [
      "a file that is not seen",
      [
        ["a", 0, 1, wrote("a.1")],
        ["c", 2, 3, saw()],
        ["b", 4, 5, wrote("a.2")],
      ],
      {},
      /c saw no file/,
    ],
    [
      "a file that comes back",
      [
        ["a", 0, 1, wrote("a.1")],
        ["d", 2, 3, deleted],
        ["c", 4, 5, saw("a.1")],
      ],
      { d: "a.1" },
      /which started when it was over/,
    ],
    [
      "a delete under which a write went on",
      [
        ["a", 0, 1, wrote("a.1")],
        ["b", 2, 3, wrote("a.2")],
        ["d", 2, 4, deleted],
      ],
      { d: "a.1" },
      /over which there was a newer one/,
    ],
    [
      "a delete without a row",
      [
        ["a", 0, 1, wrote("a.1")],
        ["d", 2, 3, deleted],
      ],
      {},
      /not in the record/,
    ],
    [
      "two lives at once",
      [
        ["a", 0, 1, wrote("a.1")],
        ["b", 2, 3, wrote("b.1")],
        ["c", 4, 5, wrote("a.2")],
      ],
      {},
      /can't be put in an order/,
    ],
    [
      "a refusal of the right version",
      [
        ["a", 0, 1, wrote("a.1")],
        ["b", 2, 3, saw("a.1"), "a.1"],
      ],
      {},
      /which it expected/,
    ],
  ])("with %s is found out", (_, lines, deletes, message) => {
    expect(check(lines, deletes).join("\n")).toMatch(message);
  });
});
