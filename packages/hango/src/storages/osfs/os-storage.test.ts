import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { rootsOf, rootsOverlap } from "../../contract/roots.ts";
import type { ErrorCode } from "../../errors.ts";
import { parseGlob } from "../../text/glob.ts";
import { parsePattern } from "../../text/pattern/pattern.ts";
import { decodeText, encodeUtf8 } from "../../text/utf8.ts";
import { osStorage } from "./index.ts";
import { isHiddenName, isUnsafeOnWindows, temporaryName } from "./hidden-names.ts";
import { playground, skips } from "../../../../../test/support/playground.ts";
import { MAX_OS_FILE_BYTES } from "./read-file.ts";

const coded = (code: ErrorCode) => ({ code });
const grepFor = (text: string) => ({ pattern: parsePattern(text), root: "", context: 0, limit: 100 });
const descriptors = (): number => readdirSync("/proc/self/fd").length;

describe("osStorage, sentence by sentence", () => {
  it("writes are atomic (temp file + rename): no half-written file is ever listed or left", async () => {
    const { root, storage, place } = playground();
    place("a.txt", "old");
    const large = new Uint8Array(16 * 1024 * 1024).fill(0x61);
    const controller = new AbortController();
    const stopped = storage.write("a.txt", large, { signal: controller.signal });
    while (readdirSync(root).length < 2) await new Promise(setImmediate);
    controller.abort(new Error("stop"));
    await expect(stopped).rejects.toThrow(/^stop$/);
    expect([readdirSync(root), readFileSync(join(root, "a.txt"), "utf8")]).toEqual([["a.txt"], "old"]);

    let done = false;
    const writing = storage.write("a.txt", large).finally(() => (done = true));
    const seen = new Set<string>();
    while (!done) for (const { path, sizeBytes } of await storage.list()) seen.add(`${path} ${sizeBytes}`);
    await writing;
    expect([...seen].filter((row) => row !== "a.txt 3" && row !== `a.txt ${large.length}`)).toEqual([]);
    expect([readdirSync(root), statSync(join(root, "a.txt")).size]).toEqual([["a.txt"], large.length]);
  });

  it("parents are created, and a failed write leaves no new ones", async () => {
    const { root, storage, place } = playground();
    await storage.write("a/b/c.txt", encodeUtf8("x"));
    expect(readFileSync(join(root, "a/b/c.txt"), "utf8")).toBe("x");
    place("f");
    const aborted = AbortSignal.abort(new Error("stop"));
    await expect(storage.write("n/e/w.txt", encodeUtf8("x"), { signal: aborted })).rejects.toThrow("stop");
    await expect(storage.write("f/x/y.txt", encodeUtf8("x"))).rejects.toMatchObject(coded("not_a_directory"));
    await expect(storage.write("m/x.txt", encodeUtf8("x"), { ifVersion: "1.1" })).rejects.toMatchObject(coded("conflict"));
    const controller = new AbortController();
    const writing = storage.write("late/x/y.bin", new Uint8Array(3 * 1024 * 1024), { signal: controller.signal });
    while (!existsSync(join(root, "late/x"))) await new Promise(setImmediate);
    controller.abort(new Error("stop"));
    await expect(writing).rejects.toThrow("stop");
    expect(readdirSync(root).sort()).toEqual(["a", "f"]);
  });

  it("a replaced file keeps its mode (new files 0644)", async () => {
    const { root, storage, place } = playground();
    const mode = (path: string): number => statSync(join(root, path)).mode & 0o7777;
    const old = process.umask(0o077);
    try {
      await storage.write("new.txt", encodeUtf8("x"));
    } finally {
      process.umask(old);
    }
    expect(mode("new.txt")).toBe(0o644);
    for (const [before, after] of [
      [0o755, 0o755],
      [0o600, 0o600],
      [0o640, 0o640],
      [0o4755, 0o755],
    ] as const) {
      chmodSync(place("run.sh"), before);
      await storage.write("run.sh", encodeUtf8("#!/bin/sh\n"));
      expect(mode("run.sh")).toBe(after);
    }
  });

  it("nobody else reads what is being written: the draft of a 0600 file had mode 644", async () => {
    const { root, storage, place } = playground();
    chmodSync(place("secret.env"), 0o600);
    const writing = storage.write("secret.env", new Uint8Array(3 * 1024 * 1024));
    const draft = (): string | undefined => readdirSync(root).find((name) => name !== "secret.env");
    while (draft() === undefined) await new Promise(setImmediate);
    expect(statSync(join(root, draft() ?? "")).mode & 0o777).toBe(0o600);
    await writing;
    expect(statSync(join(root, "secret.env")).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.getuid?.() !== 0)("the owner too, where this process may give it away: a root that may not got EPERM of fchown", async () => {
    const { root, storage, place } = playground();
    chmodSync(root, 0o777);
    const owner = (path: string): number => statSync(join(root, path)).uid;
    chownSync(place("theirs.txt"), 1_000, 1_000);
    await storage.write("theirs.txt", encodeUtf8("one"));
    expect(owner("theirs.txt")).toBe(1_000);
    process.seteuid?.(65_534);
    try {
      await storage.write("theirs.txt", encodeUtf8("two"));
    } finally {
      process.seteuid?.(0);
    }
    expect([owner("theirs.txt"), readFileSync(join(root, "theirs.txt"), "utf8")]).toEqual([65_534, "two"]);
  });

  it("has no search", () => expect(playground().storage.search).toBeUndefined());

  it("regular files only: a fifo, a socket or a device never blocks and is never listed", async () => {
    const { root, storage, place } = playground();
    place("a.txt", "hit");
    for (const name of ["live.pipe", "d/only.pipe"]) {
      mkdirSync(join(root, "d"), { recursive: true });
      execFileSync("mkfifo", [join(root, name)]);
    }
    symlinkSync("live.pipe", join(root, "to-pipe"));
    const { told, onSkip } = skips();
    expect(await storage.grep({ ...grepFor("hit"), onSkip })).toMatchObject([{ path: "a.txt" }]);
    expect([told.get("live.pipe"), told.get("d/only.pipe"), told.get("to-pipe")]).toEqual(Array.from({ length: 3 }, () => "not a regular file"));
    for (const path of ["live.pipe", "to-pipe"])
      await expect(storage.read(path)).rejects.toMatchObject({ code: "not_a_file", message: expect.stringContaining("regular file") as string });
    await expect(storage.write("live.pipe", new Uint8Array())).rejects.toMatchObject(coded("not_a_file"));
    await expect(storage.delete("live.pipe")).rejects.toMatchObject(coded("not_a_file"));
    await expect(storage.write("live.pipe/x", new Uint8Array())).rejects.toMatchObject(coded("not_a_directory"));
    expect([await storage.stat("live.pipe"), await storage.stat("d"), await storage.glob({ pattern: parseGlob("*"), root: "", limit: 9 })]).toEqual([
      undefined,
      undefined,
      ["a.txt"],
    ]);
  });

  it("the content type comes from the extension (application/octet-stream otherwise), whatever a write gives", async () => {
    const { storage } = playground();
    const type = async (path: string): Promise<string> => (await storage.write(path, encodeUtf8("x"), { contentType: "text/x-own" })).contentType;
    expect([await type("a.md"), await type("a.json"), await type("a.odd"), await type("plain")]).toEqual([
      "text/markdown",
      "application/json",
      "application/octet-stream",
      "application/octet-stream",
    ]);
  });

  it("closes when done: every descriptor is given back, and what comes after is unavailable", async () => {
    const before = descriptors();
    const { storage, place, root } = playground();
    expect(descriptors()).toBe(before + 1);
    place("a/b/c/d.txt", "hit");
    symlinkSync("a/b", join(root, "alias"));
    for (let round = 0; round < 20; round++) {
      await storage.read("alias/c/d.txt");
      await storage.grep(grepFor("hit"));
      await storage.ls("a");
      await storage.write(`n${round}/e/w.txt`, encodeUtf8("x"));
      const refused = [
        () => storage.read("a"),
        () => storage.read("nope/x"),
        () => storage.write("a", new Uint8Array()),
        () => storage.delete("a/b/c/d.txt/e"),
        () => storage.write("alias/x", new Uint8Array()),
      ];
      for (const call of refused) await expect(call()).rejects.toMatchObject({ code: expect.any(String) as string });
    }
    expect(descriptors()).toBe(before + 1);
    const writing = storage.write("large", new Uint8Array(3 * 1024 * 1024));
    const refused = expect(writing).rejects.toMatchObject(coded("unavailable"));
    await storage.close?.();
    await storage.close?.();
    await refused;
    for (const call of [() => storage.read("a/b/c/d.txt"), () => storage.list(), () => storage.write("x", new Uint8Array()), () => storage.stat("a")])
      await expect(call()).rejects.toMatchObject(coded("unavailable"));
    expect([descriptors(), readdirSync(root).filter((name) => name.startsWith("."))]).toEqual([before, []]);
  });

  it("names that aren't UTF-8, and names that no path can have, are skipped with a notice", async () => {
    const { root, storage, place } = playground();
    place("ok.txt");
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from(".txt")]), "x");
    for (const name of ["back\\slash", "new\nline", "bidi\u202egnp.js"]) place(name);
    const deep = `${"d/".repeat(32)}x`;
    place(deep);
    const { told, onSkip } = skips();
    expect((await storage.list({ onSkip })).map(({ path }) => path)).toEqual(["ok.txt"]);
    expect(told.get("caf\ufffd.txt")).toBe("its name is not UTF-8");
    expect(["back\\slash", "new\\u000aline", "bidi\\u202egnp.js", deep].map((name) => told.get(name))).toEqual(
      Array.from({ length: 4 }, () => "its name breaks the rules of paths"),
    );
  });
});

describe("osStorage refuses", () => {
  it.each(["descriptors", "names"] as const)(
    "everything once its directory is removed, even when another takes the name: it looked empty, and a write spoke of another process (%s)",
    async (walkBy) => {
      const { root, storage, place } = playground({ walkBy });
      place("a.txt");
      rmSync(root, { recursive: true });
      const calls = [() => storage.list(), () => storage.read("a.txt"), () => storage.write("d/a.txt", new Uint8Array()), () => storage.delete("a.txt")];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("was removed") as string });
      if (walkBy === "names") return;
      place("a.txt");
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("was removed") as string });
    },
  );

  it("a directory that is not there or none, and options it does not have", () => {
    const { root, place } = playground();
    const make = (options: object) => () => osStorage(options as never);
    expect(make({ directory: join(root, "no") })).toThrow(expect.objectContaining(coded("not_found")));
    expect(make({ directory: place("file") })).toThrow(expect.objectContaining(coded("not_a_directory")));
    for (const options of [{}, { directory: "" }, { directory: root, sync: true }, { directory: root, fsync: 1 }])
      expect(make(options)).toThrow(expect.objectContaining(coded("invalid_argument")));
  });

  it("systems where links can't be kept out, unless that is accepted", async () => {
    const { root } = playground();
    vi.stubGlobal("process", Object.create(process, { platform: { value: "darwin" } }));
    try {
      expect(() => osStorage({ directory: root })).toThrow(
        expect.objectContaining({ code: "unsupported", message: expect.stringContaining("acceptLinkRaces") as string }),
      );
      const storage = osStorage({ directory: root, acceptLinkRaces: true });
      await storage.write("a/b.txt", encodeUtf8("x"));
      expect(decodeText((await storage.read("a/b.txt")).bytes)).toBe("x");
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("files over its limit, unread", async () => {
    const { root, storage, place } = playground();
    truncateSync(place("sparse.bin"), MAX_OS_FILE_BYTES + 1);
    await expect(storage.read("sparse.bin")).rejects.toMatchObject(coded("too_large"));
    truncateSync(join(root, "sparse.bin"), MAX_OS_FILE_BYTES);
    expect((await storage.read("sparse.bin")).bytes.length).toBe(MAX_OS_FILE_BYTES);
    await expect(storage.write("w.bin", new Uint8Array(MAX_OS_FILE_BYTES + 1))).rejects.toMatchObject(coded("too_large"));
  });

  it("with messages that never name a path of the machine", async () => {
    const { root, storage, place } = playground();
    place("d/a.txt");
    for (const call of [
      () => storage.read("d"),
      () => storage.read("x"),
      () => storage.write("d", new Uint8Array()),
      () => storage.write(".git/x", new Uint8Array()),
    ]) {
      const error = await call().catch((reason: unknown) => reason as Error);
      expect(String((error as Error).message)).not.toContain(root);
    }
  });
});

it("carries the identity of its directory, so that overlapping ones are found", async () => {
  const { root, storage } = playground();
  mkdirSync(join(root, "inner"));
  symlinkSync("inner", join(root, "alias"));
  const inner = osStorage({ directory: join(root, "alias") });
  const [outerRoot, innerRoot] = [rootsOf(storage)[0], rootsOf(inner)[0]];
  if (outerRoot === undefined || innerRoot === undefined) throw new Error("no root");
  expect([innerRoot.realPath.endsWith("/root/inner"), rootsOverlap(outerRoot, innerRoot)]).toEqual([true, true]);
  await inner.close?.();
});

it("with fsync, an acknowledged write and the directories made for it are on the disk", async () => {
  const { root, storage } = playground({ fsync: true });
  await storage.write("a/b/c.txt", encodeUtf8("one"));
  await storage.write("a/b/c.txt", encodeUtf8("two"));
  expect(readFileSync(join(root, "a/b/c.txt"), "utf8")).toBe("two");
});

it("its own temporary names, and what Windows reads as another name, are known", () => {
  expect(isHiddenName(temporaryName())).toBe(true);
  for (const name of ["a:b", "x.", "x ", ".. ", "CON", "nul.txt", "com1", "a*", "a?"]) expect(isUnsafeOnWindows(name)).toBe(true);
  for (const name of ["a.txt", "console", "com", "a b", ".env"]) expect([isUnsafeOnWindows(name), isHiddenName(name)]).toEqual([false, false]);
});
