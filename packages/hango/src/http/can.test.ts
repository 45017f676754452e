import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { openSession } from "../session/session.ts";
import { memoryStorage } from "../storages/memory.ts";
import { canEdit } from "./can.ts";
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
      () => true,
      (error: unknown) => {
        if (isHangoError(error, "forbidden")) return false;
        throw error;
      },
    );
    expect(canEdit(person("owner"), path).edit).toBe(outcome);
    expect(canEdit(person("admin"), path).edit).toBe(outcome);
    expect(canEdit(person("member"), path)).toMatchObject({ edit: false, why: expect.stringMatching(/./) });
  });
});
