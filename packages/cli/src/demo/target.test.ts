import { type FileSystem, createFileSystem, memoryStorage, openSession } from "hango";
import { describe, expect, it } from "vitest";
import { earlierRuns } from "./earlier-runs.ts";
import { markOf } from "./script.ts";
import { chooseTarget } from "./target.ts";

async function holding(files: Readonly<Record<string, string | Uint8Array>>) {
  const storage = memoryStorage();
  for (const [path, content] of Object.entries(files)) await storage.write(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  return storage;
}
const sessionOver = async (files: Parameters<typeof holding>[0]): Promise<FileSystem> =>
  openSession({ storage: await holding(files), sessionId: crypto.randomUUID() }).fs;

describe("chooseTarget", () => {
  it("takes the first line of code that stands once in its file", async () => {
    const fs = await sessionOver({ "a.md": "no code, only words\n", "b.ts": "function a() {}x\nfunction a() {}x\nexport function two() {}\n" });
    expect(await chooseTarget(fs)).toEqual({ path: "/b.ts", line: "export function two() {}", number: 3 });
  });

  it("takes prose where there is no code, passing by binaries, reserved and unwieldy files", async () => {
    const fs = await sessionOver({
      "a.bin": new Uint8Array([0xff, 0xfe]),
      "b.txt": "a line of words\n".repeat(400),
      "c.txt": "x".repeat(6000),
      "memories/d.md": "words of the owner's\n",
      "z.txt": "words in a small file\n",
    });
    expect(await chooseTarget(fs)).toMatchObject({ path: "/z.txt", number: 1 });
  });

  it("looks at some files, never at the whole tree: on 15,000 files the demo ended with “The call ran over its 2000 ms and was ended.”", async () => {
    const fs = await sessionOver(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}.ts`, "export function same() {}\n"])));
    let reads = 0;
    const counted: FileSystem = {
      ...fs,
      read: (...args) => (reads++, fs.read(...args)),
      grep: async () => Promise.reject(new Error("a grep of the whole tree")),
    };
    expect(await chooseTarget(counted)).toMatchObject({ path: "/f0.ts" });
    expect(reads).toBe(1);
  });

  it("says so when there is nothing to work on", async () => {
    await expect(chooseTarget(createFileSystem(memoryStorage()))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("earlierRuns", () => {
  it("counts by the marks in the file, also of a run that was stopped: it counted stored results, and the second run on a small tree left “[run 1]” twice", async () => {
    const text = `title\n${markOf(2)}\n${markOf(1)}, and looked twice (a colleague agrees)\n`;
    expect(await earlierRuns(await holding({ "a.md": text }), "/a.md")).toBe(2);
    expect(await earlierRuns(await holding({ "a.md": "title\n" }), "/a.md")).toBe(0);
  });

  it("counts marks inside lines: over a file with a demo's printed screen it ended with “old_string occurs 10 times in /d.txt”", async () => {
    expect(await earlierRuns(await holding({ "d.txt": `     │ ${markOf(3)}\n     │ +${markOf(3)}\n` }), "/d.txt")).toBe(3);
  });
});
