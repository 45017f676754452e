/** The content type: as given, else kept, else by extension, else by what the bytes are. */
import { same } from "../assert.ts";
import { bytesOf, type CaseGroup, put } from "../case.ts";

const BINARY = Uint8Array.of(0xff, 0x00, 0x80);

export const contentTypeCases: CaseGroup = {
  topic: "content types",
  cases: [
    {
      name: "derives it from the extension, else from the bytes",
      needs: ["writing", "content types"],
      run: async (storage) => {
        same((await put(storage, "a.md", "# a")).contentType, "text/markdown", "a.md");
        same((await put(storage, "a.json", "{}")).contentType, "application/json", "a.json");
        same((await put(storage, "a.unknown-ending", "text")).contentType, "text/plain", "text without a known ending");
        same((await storage.write("b.unknown-ending", BINARY)).contentType, "application/octet-stream", "bytes without a known ending");
      },
    },
    {
      name: "takes what is given, keeps it over a write that gives none, and replaces it by the next given",
      needs: ["writing", "content types"],
      run: async (storage) => {
        same((await put(storage, "a.md", "1", { contentType: "text/x-own" })).contentType, "text/x-own", "given");
        same((await put(storage, "a.md", "2")).contentType, "text/x-own", "kept");
        same((await storage.read("a.md")).info.contentType, "text/x-own", "read");
        same((await put(storage, "a.md", "3", { contentType: "text/markdown" })).contentType, "text/markdown", "given anew");
      },
    },
    {
      name: "counts an empty one as none",
      needs: ["writing", "content types"],
      run: async (storage) => {
        same((await put(storage, "a.md", "1", { contentType: "" })).contentType, "text/markdown", "a new file");
        same((await put(storage, "a.md", "2", { contentType: "" })).contentType, "text/markdown", "over a file");
        await put(storage, "b.md", "3", { contentType: "text/x-own" });
        await put(storage, "b.md", "4", { contentType: "" });
        same((await storage.read("b.md")).info.contentType, "text/x-own", "kept");
      },
    },
    {
      name: "counts an empty one as none in an apply",
      needs: ["writing", "apply", "content types"],
      run: async (storage) => {
        await put(storage, "b.md", "1", { contentType: "text/x-own" });
        const infos = await storage.apply?.([
          { kind: "modify", path: "b.md", bytes: bytesOf("2"), contentType: "" },
          { kind: "create", path: "c.md", bytes: bytesOf("3"), contentType: "" },
        ]);
        same(
          infos?.map(({ contentType }) => contentType),
          ["text/x-own", "text/markdown"],
          "answered",
        );
        same(
          (await storage.list()).map(({ contentType }) => contentType),
          ["text/x-own", "text/markdown"],
          "stored",
        );
      },
    },
    {
      name: "starts anew after a delete",
      needs: ["writing", "content types"],
      run: async (storage) => {
        await put(storage, "a.md", "1", { contentType: "text/x-own" });
        await storage.delete("a.md");
        same((await put(storage, "a.md", "2")).contentType, "text/markdown", "derived");
      },
    },
  ],
};
