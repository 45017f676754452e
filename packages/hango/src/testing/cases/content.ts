/** Bytes in, the same bytes out; nobody shares a buffer. */
import { holds, same, sameBytes } from "../assert.ts";
import { bytesOf, type CaseGroup, infoKey, put, textAt } from "../case.ts";

const MIB = 1024 * 1024;

/** Text that no compression or dedup shortcut makes trivial. */
function longText(bytes: number): string {
  const unit = Array.from({ length: 64 }, (_, index) => `line ${index} of a long file, with a few words in it\n`).join("");
  return unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
}

export const contentCases: CaseGroup = {
  topic: "content",
  cases: [
    {
      name: "gives back the text it holds, byte for byte",
      files: { "a.txt": "\ufeffone\r\ntwo\r\r\n\u{1F600}\u2028é\tend", "empty.txt": "" },
      run: async (storage) => {
        same(await textAt(storage, "a.txt"), "\ufeffone\r\ntwo\r\r\n\u{1F600}\u2028é\tend", "text");
        const empty = await storage.read("empty.txt");
        same([empty.bytes.length, empty.info.sizeBytes], [0, 0], "the empty file");
      },
    },
    {
      name: "counts size in bytes, not in characters",
      files: { "a.txt": "é\u{1F600}€" },
      run: async (storage) => {
        same((await storage.read("a.txt")).info.sizeBytes, 9, "sizeBytes of read");
        same((await storage.list())[0]?.sizeBytes, 9, "sizeBytes of list");
      },
    },
    {
      name: "keeps its content when the caller changes the buffer it wrote or was given",
      needs: ["writing"],
      run: async (storage) => {
        const bytes = bytesOf("original");
        await storage.write("a.txt", bytes);
        bytes.fill(0);
        const first = await storage.read("a.txt");
        same(await textAt(storage, "a.txt"), "original", "after the written buffer changed");
        first.bytes.fill(0);
        same(await textAt(storage, "a.txt"), "original", "after the read buffer changed");
      },
    },
    {
      name: "takes a view into a larger buffer as what it shows",
      needs: ["writing"],
      run: async (storage) => {
        const large = bytesOf("0123456789");
        await storage.write("a.txt", large.subarray(3, 6));
        same(await textAt(storage, "a.txt"), "345", "text");
      },
    },
    {
      name: "keeps every byte value",
      needs: ["writing"],
      run: async (storage) => {
        const all = Uint8Array.from({ length: 256 }, (_, index) => index);
        const info = await storage.write("all.bin", all);
        same(info.sizeBytes, 256, "sizeBytes");
        sameBytes((await storage.read("all.bin")).bytes, all, "bytes");
      },
    },
    {
      name: "answers the same info from write, read, list, stat, ls and lines",
      needs: ["writing"],
      run: async (storage) => {
        const written = infoKey(await put(storage, "d/a.md", "# a\n"));
        same(infoKey((await storage.read("d/a.md")).info), written, "read");
        same((await storage.list()).map(infoKey), [written], "list");
        const entry = await storage.stat("d/a.md");
        same(entry?.kind === "file" ? infoKey(entry.info) : entry, written, "stat");
        const [listed] = await storage.ls("d");
        same(listed?.kind === "file" ? infoKey(listed.info) : listed, written, "ls");
        same(infoKey((await storage.lines("d/a.md", { offset: 1, limit: 1, column: 1, maxLineChars: 10 })).info), written, "lines");
      },
    },
    {
      name: "goes from text to binary and back at one path",
      needs: ["writing"],
      run: async (storage) => {
        const binary = Uint8Array.of(0xff, 0, 0xfe);
        await put(storage, "a", "text");
        await storage.write("a", binary);
        sameBytes((await storage.read("a")).bytes, binary, "binary");
        const back = await put(storage, "a", "text again");
        same([await textAt(storage, "a"), back.sizeBytes], ["text again", 10], "text");
      },
    },
    {
      name: "holds a file of 1 MiB, and reads a window near its end",
      needs: ["writing"],
      run: async (storage) => {
        const text = longText(MIB);
        const info = await put(storage, "large.txt", text);
        same(info.sizeBytes, MIB, "sizeBytes");
        holds((await textAt(storage, "large.txt")) === text, "the text differs");
        const page = await storage.lines("large.txt", { offset: 20_000, limit: 2, column: 1, maxLineChars: 100 });
        same(
          page.lines.map((line) => line.text),
          text.split("\n").slice(19_999, 20_001),
          "lines",
        );
      },
    },
    {
      name: "holds a file of 16 MiB",
      needs: ["writing"],
      run: async (storage) => {
        const bytes = bytesOf(longText(16 * MIB));
        same((await storage.write("huge.txt", bytes)).sizeBytes, 16 * MIB, "sizeBytes");
        const back = (await storage.read("huge.txt")).bytes;
        holds(back.length === bytes.length && back.every((byte, index) => byte === bytes[index]), "the bytes differ");
      },
    },
  ],
};
