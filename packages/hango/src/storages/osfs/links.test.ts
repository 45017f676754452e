import { linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../errors.ts";
import type { Storage } from "../../storage.ts";
import { parseGlob } from "../../text/glob.ts";
import { parsePattern } from "../../text/pattern/pattern.ts";
import { decodeText, encodeUtf8 } from "../../text/utf8.ts";
import { playground, skips } from "../../../../../test/support/playground.ts";

const coded = (code: ErrorCode) => ({ code });
const bytes = encodeUtf8("new");
const textAt = async (storage: Storage, path: string): Promise<string | undefined> => decodeText((await storage.read(path)).bytes);
const pathsIn = async (storage: Storage, prefix = ""): Promise<string[]> => (await storage.list({ prefix })).map(({ path }) => path);

describe.each(["descriptors", "names"] as const)("links in a directory walked by %s", (walkBy) => {
  it("no path or symlink resolves outside the directory", async () => {
    const { root, outside, storage, place } = playground({ walkBy });
    place("a.txt");
    symlinkSync(join(outside, "secret.txt"), join(root, "leak"));
    symlinkSync("../outside", join(root, "out"));
    symlinkSync("../root/../outside/secret.txt", join(root, "back"));
    symlinkSync("/", join(root, "top"));
    for (const path of ["leak", "out/secret.txt", "back", "top/etc/passwd"]) {
      await expect(storage.read(path)).rejects.toMatchObject(coded("forbidden"));
      await expect(storage.write(path, bytes)).rejects.toMatchObject(coded("forbidden"));
      await expect(storage.delete(path)).rejects.toMatchObject(coded("forbidden"));
      expect(await storage.stat(path)).toBeUndefined();
      expect(await pathsIn(storage, path)).toEqual([]);
    }
    await expect(storage.write("out/new.txt", bytes)).rejects.toMatchObject(coded("forbidden"));
    const { told, onSkip } = skips();
    expect((await storage.list({ onSkip })).map(({ path }) => path)).toEqual(["a.txt"]);
    expect([...told]).toEqual(["back", "leak", "out", "top"].map((path) => [path, "a link that leads outside the directory"]));
    expect(await storage.grep({ pattern: parsePattern("SECRET"), root: "", context: 0, limit: 9 })).toEqual([]);
    expect(await storage.grep({ pattern: parsePattern("SECRET"), root: "out", context: 0, limit: 9 })).toEqual([]);
    expect(await storage.glob({ pattern: parseGlob("**"), root: "", limit: 9 })).toEqual(["a.txt"]);
    expect((await storage.ls("")).length).toBe(1);
    expect([readdirSync(outside), readFileSync(join(outside, "secret.txt"), "utf8")]).toEqual([["secret.txt"], "TOPSECRET"]);
    expect(lstatSync(join(root, "leak")).isSymbolicLink()).toBe(true);
  });

  it("a link that stays inside is read, and listed once under its own name", async () => {
    const { root, storage, place } = playground({ walkBy });
    place("real.txt", "in");
    place("d/deep/file.txt", "deep");
    symlinkSync("real.txt", join(root, "in.txt"));
    symlinkSync("deep/../../real.txt", join(root, "d/up.txt"));
    symlinkSync(join(root, "d/deep/file.txt"), join(root, "absolute.txt"));
    symlinkSync("in.txt", join(root, "twice.txt"));
    for (const path of ["in.txt", "d/up.txt", "twice.txt"]) expect(await textAt(storage, path)).toBe("in");
    expect(await textAt(storage, "absolute.txt")).toBe("deep");
    expect(await pathsIn(storage)).toEqual(["absolute.txt", "d/deep/file.txt", "d/up.txt", "in.txt", "real.txt", "twice.txt"]);
    const read = await storage.read("in.txt");
    expect(await storage.stat("in.txt")).toEqual({ kind: "file", info: read.info });
    expect((await storage.ls("")).map((entry) => (entry.kind === "file" ? entry.info.path : `${entry.path}/`))).toEqual([
      "absolute.txt",
      "d/",
      "in.txt",
      "real.txt",
      "twice.txt",
    ]);
  });

  it("a link to a directory is read through, and its files are listed where they stand", async () => {
    const { root, storage, place } = playground({ walkBy });
    place("real/a.txt", "a");
    symlinkSync("real", join(root, "alias"));
    expect(await textAt(storage, "alias/a.txt")).toBe("a");
    const { told, onSkip } = skips();
    expect((await storage.list({ onSkip })).map(({ path }) => path)).toEqual(["real/a.txt"]);
    expect(told.get("alias")).toBe("a link to a directory, whose files are listed where they stand");
    expect(await pathsIn(storage, "alias")).toEqual(["alias/a.txt"]);
  });

  it("loops end", async () => {
    const { root, storage, place } = playground({ walkBy });
    place("d/a.txt");
    for (const [target, name] of [
      ["self", "self"],
      ["two", "one"],
      ["one", "two"],
      [".", "d/here"],
      ["..", "d/up"],
    ] as const)
      symlinkSync(target, join(root, name));
    const { told, onSkip } = skips();
    expect((await storage.list({ onSkip })).map(({ path }) => path)).toEqual(["d/a.txt"]);
    expect(["one", "self", "two"].map((name) => told.get(name))).toEqual(Array.from({ length: 3 }, () => "a link that leads back to itself"));
    for (const path of ["self", "one", "self/x"]) await expect(storage.read(path)).rejects.toMatchObject(coded("not_found"));
    expect(await textAt(storage, "d/here/here/up/d/a.txt")).toBe("x");
    expect(await storage.stat(`${"d/up/".repeat(15)}d`)).toMatchObject({ kind: "directory" });
  });

  it("links are never changed or written through", async () => {
    const { root, storage, place } = playground({ walkBy });
    place("real/a.txt", "old");
    symlinkSync("real", join(root, "alias"));
    symlinkSync("real/a.txt", join(root, "in.txt"));
    symlinkSync("nowhere", join(root, "broken"));
    for (const path of ["alias", "alias/a.txt", "alias/new.txt", "in.txt", "broken"]) {
      await expect(storage.write(path, bytes)).rejects.toMatchObject({ code: "forbidden", path: `/${path}` });
      await expect(storage.delete(path)).rejects.toMatchObject(coded("forbidden"));
    }
    await expect(storage.read("broken")).rejects.toMatchObject(coded("not_found"));
    expect([readFileSync(join(root, "real/a.txt"), "utf8"), readdirSync(root).sort()]).toEqual(["old", ["alias", "broken", "in.txt", "real"]]);
  });

  it("a hard link is read; a write or delete changes only the name it is about, never the other", async () => {
    const { root, outside, storage } = playground({ walkBy });
    linkSync(join(outside, "secret.txt"), join(root, "hard.txt"));
    linkSync(join(outside, "secret.txt"), join(root, "gone.txt"));
    expect(await textAt(storage, "hard.txt")).toBe("TOPSECRET");
    await storage.write("hard.txt", bytes);
    await storage.delete("gone.txt");
    expect([readFileSync(join(root, "hard.txt"), "utf8"), readFileSync(join(outside, "secret.txt"), "utf8")]).toEqual(["new", "TOPSECRET"]);
  });

  it(".git is skipped in any spelling that some disk takes for it, also through a link", async () => {
    const { root, storage, place } = playground({ walkBy });
    const spellings = [".git", ".GIT", ".Git", "git~1", "GIT~1", ".git ", ".git. .", ".g\u200cit", "\ufeff.git", ".git::$INDEX_ALLOCATION"];
    for (const name of spellings) place(`${name}/hooks/x`, "hit");
    place("sub/.git", "gitdir: elsewhere");
    for (const name of [".gitignore", ".github/a", "git", "x.git", ".git2", "git~10"]) place(name, "hit");
    symlinkSync(".git", join(root, "repo"));
    symlinkSync(".git/hooks/x", join(root, "hook"));
    const seen = [".git2", ".github/a", ".gitignore", "git", "git~10", "x.git"];
    expect(await pathsIn(storage)).toEqual(seen);
    expect((await storage.grep({ pattern: parsePattern("hit"), root: "", context: 0, limit: 99 })).map(({ path }) => path)).toEqual(seen);
    for (const path of [".GIT/hooks/x", ".git", "sub/.git", "sub/.GIT", "git~1/hooks/x", "repo/hooks/x", "hook", ".g\u200cit/hooks/x"]) {
      // A zero-width character may be refused as a path before it gets here.
      await expect(storage.read(path)).rejects.toMatchObject({ code: expect.stringMatching(/^(not_found|invalid_path)$/) as string });
      await expect(storage.write(path, bytes)).rejects.toMatchObject({ code: expect.stringMatching(/^(forbidden|invalid_path)$/) as string });
      await expect(storage.delete(path)).rejects.toMatchObject({ code: expect.stringMatching(/^(not_found|forbidden|invalid_path)$/) as string });
    }
    await expect(storage.write("new/.GIT/config", bytes)).rejects.toMatchObject(coded("forbidden"));
    expect(readdirSync(root)).not.toContain("new");
    expect(await storage.stat("sub")).toBeUndefined();
    expect(readFileSync(join(root, ".git/hooks/x"), "utf8")).toBe("hit");
  });

  it("a directory that was swapped for a link between two calls is not followed by a write", async () => {
    const { root, outside, storage, place } = playground({ walkBy });
    place("d/a.txt");
    const { version } = (await storage.read("d/a.txt")).info;
    mkdirSync(join(outside, "d"));
    renameSync(join(root, "d"), join(root, "moved"));
    symlinkSync("../outside/d", join(root, "d"));
    await expect(storage.write("d/a.txt", bytes, { ifVersion: version })).rejects.toMatchObject(coded("forbidden"));
    await expect(storage.write("d/b.txt", bytes)).rejects.toMatchObject(coded("forbidden"));
    expect(readdirSync(join(outside, "d"))).toEqual([]);
  });
});
