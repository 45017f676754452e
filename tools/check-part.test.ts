import { describe, expect, it } from "vitest";
import { runPart } from "./check-part.ts";

describe("a part of the check", () => {
  it("is ok when its command ends with 0", async () => {
    expect(await runPart({ name: "a", command: "exit 0" })).toMatchObject({ name: "a", ok: true, output: "" });
  });

  it("keeps what a failing command said on both streams", async () => {
    const { ok, output } = await runPart({ name: "a", command: "echo found && echo wrong >&2 && exit 3" });
    expect(ok).toBe(false);
    expect(output).toContain("found");
    expect(output).toContain("wrong");
  });

  it("fails when there is no such command", async () => {
    const { ok, output } = await runPart({ name: "a", command: "no-such-command-of-hango" });
    expect(ok).toBe(false);
    expect(output).toContain("no-such-command-of-hango");
  });
});
