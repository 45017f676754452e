import { describe, expect, it, vi } from "vitest";
import { uuidFor } from "hango";
import { scopedConformance, storageConformance } from "hango/testing";
import { answerByHand, openChat } from "../examples/chatbot-corpus.ts";
import { create, mapStorages } from "../examples/own-backend.ts";

const runner = { describe, it };
storageConformance(runner, { name: "the example's own backend, as the command gets it", create });
scopedConformance(runner, {
  name: "the example's own scopes",
  create: () => ({
    storage: mapStorages(),
    scopes: [
      { tenantId: crypto.randomUUID(), agentId: crypto.randomUUID() },
      { tenantId: crypto.randomUUID(), agentId: crypto.randomUUID() },
    ],
  }),
});

describe("the examples of storages", () => {
  it("run: the chatbot sees /faq.md and finds it", async () => {
    const [listing, found, text] = await answerByHand(openChat(uuidFor("a chat")));
    expect(listing).toMatch(/faq\.md.*\n.*prices\.md/);
    expect(listing).not.toContain("knowledge");
    expect(found).toContain("/faq.md");
    expect(text).toContain("Opening hours: 9 to 5.");
  });

  it("run: validatePath names the broken rule", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    await import("../examples/validate-path.ts");
    const said = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    expect(said).toEqual([
      expect.stringMatching(/^\.\.\/etc\/passwd: Invalid path ".*": parent-directory segment/),
      expect.stringMatching(/^docs\/\/a\.md: .*: empty segment/),
      expect.stringMatching(/^\/docs\/a\.md: .*: leading slash/),
      "docs/a.md: fine",
    ]);
  });
});
