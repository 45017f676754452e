import { describe, expect, it } from "vitest";
import { uuidFor } from "../path/uuid.ts";
import { openSession } from "../session/session.ts";
import { memoryStorage } from "../storages/memory.ts";
import { withOffload } from "./offload.ts";

describe("withOffload", () => {
  const answering = (answer: unknown): Promise<unknown> => {
    const tool = { name: "q", description: "", inputSchema: {}, execute: async () => answer as never };
    return withOffload(openSession({ storage: memoryStorage(), sessionId: uuidFor("s1") }), tool).execute({}, { toolCallId: "1" });
  };

  it.each([
    ["a plain string", "a string"],
    [undefined, "undefined"],
    [null, "null"],
    [["x"], "an array"],
    [{ content: "x" }, "an object whose forModel is neither text nor parts"],
    [{ isError: false, forModel: [null] }, "an object whose forModel is neither text nor parts"],
  ])('names a tool that answers %j: "Cannot read properties of undefined"', async (answer, kind) => {
    const message = `The tool "q" answered ${kind}; a Tool answers { isError, forModel }.`;
    await expect(answering(answer)).rejects.toMatchObject({ code: "invalid_argument", message });
  });

  it("passes on text and parts", async () => {
    for (const forModel of ["x", [{ type: "text", text: "x" }], []])
      expect(await answering({ isError: false, forModel })).toEqual({ isError: false, forModel });
  });
});
