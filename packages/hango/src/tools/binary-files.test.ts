import { describe, expect, it } from "vitest";
import { uuidFor } from "../path/uuid.ts";
import { openSession, type SessionOptions } from "../session/session.ts";
import type { ToolName } from "../session/vocabulary.ts";
import { memoryStorage } from "../storages/memory.ts";
import type { Storage } from "../storage.ts";
import { fileTools } from "./file-tools.ts";

const names: readonly ToolName[] = ["read_file", "write_file", "edit_file", "delete_file"];
const binary = new Uint8Array([0xff, 0xfe, 0]);
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

interface World {
  readonly storage: Storage;
  readonly say: (tool: ToolName, args: object) => Promise<string>;
}

async function world(content: Uint8Array, options: Partial<SessionOptions> = {}): Promise<World> {
  const storage = memoryStorage();
  await storage.write("logo", content);
  const tools = new Map(fileTools(openSession({ storage, sessionId: uuidFor("s1"), tools: names, ...options })).map((tool) => [tool.name, tool]));
  return { storage, say: async (name, args) => String((await tools.get(name)?.execute(args, { toolCallId: "1" }))?.forModel) };
}

describe("write_file over a file that was never read", () => {
  it('says of a binary one that it can only be deleted: "read it first", which can never succeed', async () => {
    const { say } = await world(binary);
    const refused = "Error (already_exists): /logo exists and is binary: it can't be read or replaced as text, only deleted.";
    expect(await say("write_file", { path: "/logo", content: "x" })).toBe(`${refused} Delete it with delete_file and then write, or write to another path.`);
    expect(await say("delete_file", { path: "/logo" })).toBe("Deleted /logo.");
    expect(await say("write_file", { path: "/logo", content: "x" })).toContain("Wrote /logo");
    const without = await world(binary, { tools: ["read_file", "write_file"] });
    expect(await without.say("write_file", { path: "/logo", content: "x" })).toBe(`${refused} Write to another path.`);
  });

  it("says of one that a rule hides that it can't be read", async () => {
    const { say } = await world(text("secret"), { policy: { permissions: [{ operations: ["read"], paths: ["/logo"], mode: "deny" }] } });
    expect(await say("write_file", { path: "/logo", content: "x" })).toBe(
      "Error (already_exists): /logo exists, and a rule of this session denies reading it, so it can't be replaced. Write to another path.",
    );
  });

  it("asks no person to find out: reading is what the model does next", async () => {
    const asked: string[] = [];
    const approve = async ({ path }: { readonly path: string }): Promise<boolean> => asked.push(path) > 0;
    const { say } = await world(binary, { policy: { permissions: [{ operations: ["read"], paths: ["/logo"], mode: "ask" }], approve } });
    expect(await say("write_file", { path: "/logo", content: "x" })).toBe("Error (already_exists): /logo exists; read it first, then write it.");
    expect(asked).toEqual([]);
  });
});

it('a file that became binary since it was read can be deleted after a read: "re-read and retry" for ever', async () => {
  const { say, storage } = await world(text("one"));
  await say("read_file", { path: "/logo" });
  await storage.write("logo", binary);
  expect(await say("delete_file", { path: "/logo" })).toContain("Error (conflict)");
  expect(await say("read_file", { path: "/logo" })).toContain("Error (not_text)");
  expect(await say("write_file", { path: "/logo", content: "x" })).toContain("is binary");
  expect(await say("delete_file", { path: "/logo" })).toBe("Deleted /logo.");
});

describe("an error", () => {
  it('gives its advice once: "… the root is /. Use an absolute path such as /docs/a.md."', async () => {
    const { say } = await world(binary);
    expect(await say("read_file", { path: "" })).toBe(
      'Error (invalid_path): Invalid path "": empty path. Use an absolute path such as /docs/a.md; the root is /.',
    );
    expect(await say("read_file", { path: "/a/../b" })).toBe(
      'Error (invalid_path): Invalid path "/a/../b": parent-directory segment (".."). Name the directory itself.',
    );
    const notText = "Error (not_text): /logo is binary, not UTF-8 text; text operations can't show or change it.";
    expect(await say("read_file", { path: "/logo" })).toBe(notText);
    expect(await say("edit_file", { path: "/logo", old_string: "a", new_string: "b" })).toBe(notText);
    expect(await say("write_file", { path: "/a", content: "a\0" })).toBe(
      "Error (invalid_content): Not valid text for /a: the text has a NUL character in line 1. Send well-formed text without NUL.",
    );
  });
});
