import { describe, expect, it } from "vitest";
import { uuidFor } from "../path/uuid.ts";
import { openSession, type SessionOptions } from "../session/session.ts";
import type { ToolResult } from "../session/vocabulary.ts";
import { memoryStorage } from "../storages/memory.ts";
import type { Storage } from "../storage.ts";
import { fileTools } from "./file-tools.ts";

async function reader(
  content: string | Uint8Array,
  options: Partial<SessionOptions> = {},
): Promise<(args?: object) => Promise<{ readonly text: string; readonly result: ToolResult; readonly storage: Storage }>> {
  const storage = memoryStorage();
  await storage.write("f.txt", typeof content === "string" ? new TextEncoder().encode(content) : content);
  const session = openSession({ storage, sessionId: uuidFor("s1"), ...options });
  const tool = fileTools(session).find(({ name }) => name === "read_file");
  return async (args = {}) => {
    const result = (await tool?.execute({ path: "/f.txt", ...args }, { toolCallId: "1" })) as ToolResult;
    return { text: String(result.forModel), result, storage };
  };
}

const numbers = (text: string): readonly number[] =>
  text
    .split("\n")
    .flatMap((line) => /^ *(\d+)\t/.exec(line)?.[1] ?? [])
    .map(Number);
const nextOffset = (text: string): number | undefined => {
  const found = /continue with offset (\d+)\)$/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

describe("read_file", () => {
  it("prints the number in six columns, a tab and the line, and which lines of how many", async () => {
    const read = await reader("a\nb\nc\n");
    expect((await read()).text).toBe("     1\ta\n     2\tb\n     3\tc\n(lines 1-3 of 3)");
    expect((await read({ offset: 2, limit: 1 })).text).toBe("     2\tb\n(lines 2-2 of 3; continue with offset 3)");
    expect((await read({ offset: 0, limit: 1 })).text).toBe("     1\ta\n(lines 1-1 of 3; continue with offset 2)");
  });

  it("tells an empty file from an offset past the end", async () => {
    expect((await (await reader(""))()).text).toBe("/f.txt is empty (0 lines).");
    const past = await (await reader("1\n2\n3\n4\n5\n"))({ offset: 100 });
    expect(past.result).toMatchObject({ isError: true, code: "invalid_argument" });
    expect(past.text).toContain("5 lines");
  });

  it("clips a line over 5000 characters and not one of exactly 5000; the mark names the column and never the word that pages lines", async () => {
    for (const [length, clipped] of [
      [4_999, false],
      [5_000, false],
      [5_001, true],
    ] as const) {
      const { text } = await (await reader(`${"😀".repeat(length)}\nshort\n`))();
      expect([length, text.includes("[clipped; column 5001 continues line 1]")]).toEqual([length, clipped]);
      expect(text.split("\n")[0]).not.toContain("offset");
      expect(text).toContain("     2\tshort");
    }
  });

  it("reaches every character of a long line by column alone", async () => {
    const line = Array.from({ length: 3_000 }, (_, index) => `item${index};`).join("");
    const read = await reader(`${line}\nend`);
    let seen = "";
    for (let column: number | undefined = 1; column !== undefined;) {
      const [row = ""] = (await read({ offset: 1, limit: 1, column })).text.split("\n");
      const mark: RegExpExecArray | null = / \[clipped; column (\d+) continues line 1\]$/.exec(row);
      seen += row.slice(7, mark === null ? undefined : mark.index);
      column = mark === null ? undefined : Number(mark[1]);
    }
    expect(seen).toBe(line);
  });

  it("a clipped line in the middle names its own column, also when the first line starts elsewhere", async () => {
    const { text } = await (await reader(`${"a".repeat(6_000)}\n${"b".repeat(6_000)}\nend`))({ column: 500 });
    expect(text).toContain("[clipped; column 5500 continues line 1]");
    expect(text).toContain("[clipped; column 5001 continues line 2]");
  });

  it("stays under the token limit on whole lines, and paging by the footer alone shows every line once", async () => {
    const limits = { toolResultTokens: 500 };
    const read = await reader(Array.from({ length: 700 }, (_, index) => `line ${index + 1} ${"x".repeat(index % 90)}`).join("\n"), { limits });
    const seen: number[] = [];
    let pages = 0;
    for (let offset: number | undefined = 1; offset !== undefined; pages++) {
      const { text } = await read({ offset, limit: 700 });
      expect(new TextEncoder().encode(text).length / 4).toBeLessThanOrEqual(500);
      seen.push(...numbers(text));
      offset = nextOffset(text);
    }
    expect(pages).toBeGreaterThan(10);
    expect(seen).toEqual(Array.from({ length: 700 }, (_, index) => index + 1));
  });

  it("cuts one line that is too long for the answer on code points, and says the column to go on", async () => {
    const line = "漢😀".repeat(2_000);
    const read = await reader(`${line}\nend`, { limits: { toolResultTokens: 200 } });
    let seen = "";
    for (let column: number | undefined = 1; column !== undefined;) {
      const { text } = await read({ offset: 1, limit: 1, column });
      expect(text.isWellFormed()).toBe(true);
      expect(new TextEncoder().encode(text).length / 4).toBeLessThanOrEqual(200);
      expect(text).toMatch(/\(lines 1-1 of 2; continue with offset 2\)$/);
      const [row = ""] = text.split("\n");
      const mark: RegExpExecArray | null = / \[clipped; column (\d+) continues line 1\]$/.exec(row);
      seen += row.slice(7, mark === null ? undefined : mark.index);
      column = mark === null ? undefined : Number(mark[1]);
    }
    expect(seen).toBe(line);
  });

  it("shows neither byte order mark nor CR, and leaves the stored bytes alone", async () => {
    const read = await reader("\ufeffimport os\r\n\ufeffx\r\n");
    const { text, storage } = await read();
    expect(text).toBe("     1\timport os\n     2\t\ufeffx\n(lines 1-2 of 2)");
    expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode((await storage.read("f.txt")).bytes)).toBe("\ufeffimport os\r\n\ufeffx\r\n");
  });

  it("answers a binary file, a directory and a missing file with what to do", async () => {
    const read = await reader(new Uint8Array([0xff, 0xfe, 0]));
    expect((await read()).result.code).toBe("not_text");
    expect((await read({ path: "/" })).result.code).toBe("not_a_file");
    expect((await read({ path: "/none" })).text).toBe("Error (not_found): /none does not exist. Use ls or glob to see what is there.");
    expect((await read({ path: "f.txt" })).result.code).toBe("invalid_path");
  });
});
