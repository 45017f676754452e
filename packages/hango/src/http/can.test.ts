import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { openSession } from "../session/session.ts";
import { memoryStorage } from "../storages/memory.ts";
import { canEdit, requireEdit } from "./can.ts";
import type { Principal, Role } from "../tenancy.ts";

const person = (role: Role): Principal => ({ tenantId: "11111111-1111-4111-8111-111111111111", subject: role, role });
const session = "22222222-2222-4222-8222-222222222222";

describe("what a person may do", () => {
  it.each([
    "a.md",
    "memories",
    "memories/a",
    "memories/a/b",
    "Memories/a",
    "MEMORIES",
    "memoriesX/a",
    "skills/a",
    "Skills/a",
    "skills",
    "x/memories/a",
    "large_tool_results",
    `large_tool_results/${session}/a`,
    "Large_Tool_Results/a",
    `conversation_history/${session}.md`,
  ])("with %s is what the guard does for an operator", async (path) => {
    const { storage } = openSession({ storage: memoryStorage(), actor: "operator", sessionId: session });
    const outcome = await storage.write(path, new Uint8Array()).then(
      () => ({ edit: true }),
      (error: unknown) => {
        if (isHangoError(error, "forbidden")) return { edit: false, why: error.message };
        throw error;
      },
    );
    expect(canEdit(person("owner"), path)).toEqual(outcome);
    expect(canEdit(person("admin"), path)).toEqual(outcome);
    expect(canEdit(person("member"), path)).toEqual(
      outcome.edit ? { edit: false, why: "Your key is a member's. Owners and admins may edit below /memories/ and /skills/." } : outcome,
    );
  });

  it('is told in the guard\'s own words: the page said "People correct files below /memories/ and /skills/ only", the write "an operator, who writes only below"', () => {
    expect(canEdit(person("owner"), "docs/a.md").why).toContain(
      "by an operator, who writes only below /memories/ and /skills/; the other files are the agent's.",
    );
    expect(() => requireEdit(person("owner"), "docs/a.md")).toThrow(canEdit(person("owner"), "docs/a.md").why);
    expect(() => requireEdit(person("owner"), "memories/a")).not.toThrow();
  });
});
