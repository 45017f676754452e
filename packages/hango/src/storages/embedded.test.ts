import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import * as nodeFs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allPaths, textAt } from "../testing/case.ts";
import { embeddedStorage } from "./embedded.ts";

describe("embeddedStorage", () => {
  it("holds a record of texts and bytes, with types from the extensions", async () => {
    const corpus = embeddedStorage({ "faq.md": "hours: 9 to 5", "img/logo.PNG": Uint8Array.of(0, 255), "b/blob.xyz": "text", __proto__x: "" });
    expect((await corpus.list()).map(({ path, contentType, sizeBytes }) => [path, contentType, sizeBytes])).toEqual([
      ["__proto__x", "application/octet-stream", 0],
      ["b/blob.xyz", "application/octet-stream", 4],
      ["faq.md", "text/markdown", 13],
      ["img/logo.PNG", "application/octet-stream", 2],
    ]);
    expect((await corpus.list())[0]?.updatedAt).toBeUndefined();
  });

  it("shows only what is below a prefix, without it", async () => {
    const corpus = embeddedStorage({ "docs/a.md": "a", "docs/b/c.md": "c", docs2: "x", "docsy/d.md": "d" }, { prefix: "docs" });
    expect(await allPaths(corpus)).toEqual(["a.md", "b/c.md"]);
  });

  it.each(["/a.md", "./a.md", "a//b", "../a", "a\\b", "a/", "", "a\0b"])("refuses the key %j at creation, also outside the prefix", (key) => {
    for (const options of [{}, { prefix: "docs" }])
      expect(() => embeddedStorage({ [key]: "x" }, options)).toThrow(expect.objectContaining({ code: "invalid_path" }) as Error);
  });

  it("refuses at creation what it could not give back: a file below a file, half a character, other values, misspelled options", () => {
    expect(() => embeddedStorage({ "a/b": "x", a: "y" })).toThrow("/a is a file, so /a/b can't be below it.");
    expect(() => embeddedStorage({ a: "\ud800" })).toThrow(expect.objectContaining({ code: "invalid_content" }) as Error);
    expect(() => embeddedStorage({ a: 1 as never })).toThrow('The content of "a" must be text or a Uint8Array.');
    expect(() => embeddedStorage({}, { prefx: "a" } as never)).toThrow(expect.objectContaining({ code: "invalid_argument" }) as Error);
    expect(() => embeddedStorage(undefined as never)).toThrow(expect.objectContaining({ code: "invalid_argument" }) as Error);
  });

  it("refuses what is no record, which was an empty corpus without a word: a Map, a promise of a module, a list", () => {
    for (const files of [new Map([["a.md", "x"]]), Promise.resolve({ "a.md": "x" }), ["x"], new Date()])
      expect(() => embeddedStorage(files as never)).toThrow("embeddedStorage takes a record of files");
    expect(() => embeddedStorage(Object.assign(Object.create(null) as object, { "a.md": "x" }))).not.toThrow();
  });

  it("gives way while the first listing makes the versions, and can be stopped: 60 MB held the event loop for two seconds", async () => {
    const corpus = embeddedStorage(Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`${i}.md`, "x".repeat(600_000)])));
    const stop = new AbortController();
    setImmediate(() => stop.abort(new Error("enough")));
    await expect(corpus.list({ signal: stop.signal })).rejects.toThrow("enough");
    expect((await corpus.list()).map(({ path }) => path)).toEqual(["0.md", "1.md", "2.md", "3.md"]);
  });

  it("has one version for one content, in every process, and keeps no hand on the caller's bytes", async () => {
    const bytes = new TextEncoder().encode("abc");
    const corpus = embeddedStorage({ a: bytes, b: "abc", c: "abd" });
    bytes[0] = 0;
    const [a, b, c] = await corpus.list();
    expect([a?.version, b?.version]).toEqual(["ba7816bf8f01cfea414140de5dae2223", "ba7816bf8f01cfea414140de5dae2223"]);
    expect(c?.version).not.toBe(a?.version);
    expect(await textAt(corpus, "a")).toBe("abc");
  });

  it("finds text whatever its case, and refuses every change", async () => {
    const corpus = embeddedStorage({ "a.md": "Opening HOURS", "b.md": "prices" });
    expect(await corpus.search?.paths("hours")).toEqual(["a.md"]);
    await expect(corpus.write("c.md", new Uint8Array())).rejects.toMatchObject({ code: "read_only" });
    await expect(corpus.delete("a.md")).rejects.toMatchObject({ code: "read_only" });
    await expect(corpus.write("../c.md", new Uint8Array())).rejects.toMatchObject({ code: "invalid_path" });
    expect([corpus.apply, corpus.record, corpus.close]).toEqual([undefined, undefined, undefined]);
  });
});

describe("embeddedStorage over what reads like Node's fs", () => {
  function withDirectory(run: (directory: string) => void): void {
    const directory = mkdtempSync(join(tmpdir(), "hango-embedded-"));
    try {
      run(directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  it("reads every regular file below the prefix, at creation; links are left out", async () => {
    const made: { corpus?: ReturnType<typeof embeddedStorage> } = {};
    withDirectory((directory) => {
      mkdirSync(join(directory, "a/b"), { recursive: true });
      writeFileSync(join(directory, "a/b/c.md"), "deep");
      writeFileSync(join(directory, "x.bin"), Uint8Array.of(255));
      symlinkSync(directory, join(directory, "a/loop"));
      made.corpus = embeddedStorage(nodeFs, { prefix: directory });
    });
    const { corpus } = made;
    expect(corpus && (await allPaths(corpus))).toEqual(["a/b/c.md", "x.bin"]);
    expect(corpus && (await textAt(corpus, "a/b/c.md"))).toBe("deep");
  });

  it("says which directory it can't read, and keeps the cause", () => {
    const error: { readonly cause?: unknown } | undefined = (() => {
      try {
        embeddedStorage(nodeFs, { prefix: "/no/such/directory" });
      } catch (thrown) {
        return thrown as { readonly cause?: unknown };
      }
      return undefined;
    })();
    expect(error).toMatchObject({ code: "not_found", cause: { code: "ENOENT" } });
  });

  it("refuses a name that is no path, and a readdirSync that only gives names", () => {
    withDirectory((directory) => {
      writeFileSync(join(directory, "a\\b"), "x");
      expect(() => embeddedStorage(nodeFs, { prefix: directory })).toThrow(expect.objectContaining({ code: "invalid_path" }) as Error);
    });
    expect(() => embeddedStorage({ readdirSync: () => ["a"], readFileSync: () => "x" })).toThrow("when it is called with { withFileTypes: true }");
  });
});
