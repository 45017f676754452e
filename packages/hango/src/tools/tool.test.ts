import { describe, expect, it } from "vitest";
import { uuidFor } from "../path/uuid.ts";
import { openSession } from "../session/session.ts";
import { memoryStorage } from "../storages/memory.ts";
import { fileTools } from "./file-tools.ts";

describe("a file tool", () => {
  it.each([undefined, null, {}, { toolCallId: 7 }, "1"])('answers a call of %j, and never throws: "Cannot destructure property signal"', async (call) => {
    for (const tool of fileTools(openSession({ storage: memoryStorage(), sessionId: uuidFor("s1") }))) {
      const answer = await tool.execute({ path: "/a", content: "x" }, call as never);
      expect(answer).toMatchObject({ isError: true, code: "invalid_argument" });
      expect(answer.forModel).toContain("toolCallId must be a string.");
    }
  });
});
