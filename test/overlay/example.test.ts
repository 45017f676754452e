import { describe, expect, it } from "vitest";
import { memoryStorage } from "hango";
import { workOnDraft } from "../../examples/overlay-review.ts";

const text = new TextEncoder();

describe("the example of a reviewed draft", () => {
  it.each([
    [true, ["notes.md"], "# Notes\n- milk\n- eggs\n"],
    [false, [], "# Notes\n- milk\n"],
  ])("keeps the agent's edits only after a yes: %s", async (answer, written, content) => {
    const base = memoryStorage();
    await base.write("notes.md", text.encode("# Notes\n- milk\n"));
    const shown: string[] = [];
    const infos = await workOnDraft(
      base,
      async ({ fs }) => void (await fs.edit("/notes.md", "- milk\n", "- milk\n- eggs\n")),
      async (diff) => {
        shown.push(diff);
        return answer;
      },
    );
    expect(shown).toEqual(["diff --git a/notes.md b/notes.md\n--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,3 @@\n # Notes\n - milk\n+- eggs\n"]);
    expect([infos.map(({ path }) => path), new TextDecoder().decode((await base.read("notes.md")).bytes)]).toEqual([written, content]);
  });

  it("asks nothing about a large tool result, which stood in the diff as a file to create", async () => {
    const shown: string[] = [];
    const large = { isError: false, forModel: "row\n".repeat(50_000) };
    await workOnDraft(
      memoryStorage(),
      async (session) => void (await session.offload(large, { toolCallId: "1", toolName: "query" })),
      async (diff) => shown.push(diff) > 0,
    );
    expect(shown).toEqual([]);
  });
});
