import { describe, expect, it } from "vitest";
import { MATCH_SLICE_WORK } from "../limits.ts";
import { makePace } from "./pace.ts";

describe("makePace", () => {
  it("gives way once a slice of work is done, and counts anew", async () => {
    const pace = makePace(undefined);
    expect(pace(MATCH_SLICE_WORK - 1)).toBeUndefined();
    let ticked = false;
    setImmediate(() => {
      ticked = true;
    });
    await pace(1);
    expect(ticked).toBe(true);
    expect(pace(1)).toBeUndefined();
  });

  it("sees an abort that came while others ran", async () => {
    const controller = new AbortController();
    const pause = makePace(controller.signal)(MATCH_SLICE_WORK);
    controller.abort(new Error("stop"));
    await expect(pause).rejects.toThrow(/^stop$/);
  });
});
