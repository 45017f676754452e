import { type FilePath, type Storage, createOverlay, defineStorage, fileTools, isHangoError, memoryStorage, openSession } from "hango";
import { describe, expect, it } from "vitest";
import { foldName } from "./fold-name.ts";
import { hideSpellings } from "./left-out-spellings.ts";

const FILES = {
  ".env": "CANARY\n",
  "build/x.js": "CANARY\n",
  "src/a.ts": "a\n",
  "src/Schlüssel/key.pem": "CANARY\n",
  "src/Schlüssel/readme.md": "b\n",
};
const LEFT_OUT = ["/.env", "/build/", "/src/Schlüssel/key.pem"];

/** A disk that takes all spellings of a name for one, as macOS and Windows do; it shows what it is asked for in the asker's spelling, as they do. */
async function foldingDisk(): Promise<Storage> {
  const kept = memoryStorage();
  for (const [path, text] of Object.entries(FILES)) await kept.write(path, new TextEncoder().encode(text));
  const all = async (): Promise<readonly string[]> => (await kept.list()).map(({ path }) => path);
  const real = async (path: string): Promise<FilePath> => ((await all()).find((one) => foldName(one) === foldName(path)) ?? path) as FilePath;
  return defineStorage({
    name: "folding",
    list: async ({ prefix = "", ...options } = {}) => {
      const infos = await kept.list({ ...options, filters: [], limit: 1_000 });
      return infos
        .filter(({ path }) => foldName(`${path}/`).startsWith(prefix === "" ? "" : foldName(`${prefix}/`)))
        .map((info) => ({
          ...info,
          path: (prefix === "" ? [] : prefix.split("/"))
            .concat(info.path.split("/").slice(prefix.split("/").length - (prefix === "" ? 1 : 0)))
            .join("/") as FilePath,
        }));
    },
    read: async (path, options) => {
      const { info, bytes } = await kept.read(await real(path), options);
      return { info: { ...info, path }, bytes };
    },
    write: async (path, bytes, options) => ({ ...(await kept.write(await real(path), bytes, options)), path }),
    delete: async (path, options) => kept.delete(await real(path), options),
  });
}

const NO_TWINS: ReadonlySet<string> = new Set();

async function agentOn(base: Storage, twins: ReadonlySet<string> = NO_TWINS): Promise<ReturnType<typeof openSession>> {
  const paths = LEFT_OUT.flatMap((path) => (path.endsWith("/") ? [path.slice(0, -1), path] : [path]));
  return openSession({
    storage: hideSpellings(createOverlay({ base }).storage, { paths: LEFT_OUT, twins }),
    sessionId: "0b5a3c9e-7a55-4d39-9d5a-0f6f4f3f1c11",
    policy: { permissions: [{ operations: ["read", "write"], paths, mode: "deny" }] },
  });
}

const forbidden = (error: unknown): boolean => isHangoError(error, "forbidden");

describe("what is left out of a directory whose disk folds case", () => {
  it("is the premise: the disk alone gives the secret under any spelling", async () => {
    expect(new TextDecoder().decode((await (await foldingDisk()).read(".ENV")).bytes)).toBe("CANARY\n");
  });

  it("can't be read, changed or looked at under any spelling: /.ENV read an ignored .env", async () => {
    const { fs } = await agentOn(await foldingDisk());
    for (const path of [
      "/.env",
      "/.ENV",
      "/.Env",
      "/BUILD/x.js",
      "/Build/X.JS",
      "/build/X.js",
      "/SRC/SCHLÜSSEL/KEY.PEM",
      "/src/Schlu\u0308ssel/key.pem",
      "/src/schlüſſel/key.pem",
    ]) {
      await expect(fs.read(path), path).rejects.toSatisfy(forbidden);
      await expect(fs.stat(path), path).rejects.toSatisfy(forbidden);
      await expect(fs.write(path, "mine\n"), path).rejects.toSatisfy(forbidden);
      await expect(fs.edit(path, "CANARY", "mine"), path).rejects.toSatisfy(forbidden);
      await expect(fs.delete(path), path).rejects.toSatisfy(forbidden);
    }
    await expect(fs.read("/.ENV")).rejects.toThrow("/.ENV can't be read: on some disks it is another spelling of /.env, which this session leaves out.");
  });

  it("shows in no listing and no search, whatever spelling their root has", async () => {
    const { fs, storage } = await agentOn(await foldingDisk());
    const roots = ["/", "/src", "/SRC", "/src/SCHLÜSSEL", "/SRC/schlu\u0308ssel", "/BUILD", "/Build", "/.ENV"];
    for (const path of roots) {
      const found = await fs.grep("CANARY", { path }).catch((error: unknown) => error);
      expect(isHangoError(found) || (found as { readonly matches: readonly unknown[] }).matches.length === 0, path).toBe(true);
      const named = await fs.glob("**", { root: path }).catch((error: unknown) => error);
      if (!isHangoError(named))
        expect(
          (named as { readonly paths: readonly string[] }).paths.filter((one) => /env|build|key/i.test(one)),
          path,
        ).toEqual([]);
      const listed = await fs.ls(path).catch((error: unknown) => error);
      if (!isHangoError(listed)) expect(JSON.stringify(listed), path).not.toMatch(/\.env|"build|key\.pem/i);
      const prefix = path.slice(1);
      expect(
        (await storage.list({ prefix })).filter((info) => /env|build|key/i.test(info.path)),
        path,
      ).toEqual([]);
    }
    expect((await fs.glob("**", { root: "/SRC" })).paths).toEqual(["/SRC/Schlüssel/readme.md", "/SRC/a.ts"]);
  });

  it("is not found by a pattern that spells its directory in another way: the glob BUILD/** named the files below build/", async () => {
    const { fs } = await agentOn(await foldingDisk());
    for (const pattern of ["BUILD/**", "/Build/*.js", "SRC/SCHLÜSSEL/*.pem", "SRC/Schlüssel/key.pem", ".ENV"])
      expect([pattern, (await fs.glob(pattern)).paths]).toEqual([pattern, []]);
    expect((await fs.glob("SRC/**")).paths).toEqual(["/SRC/Schlüssel/readme.md", "/SRC/a.ts"]);
  });

  it("leaves everything beside it readable and writable", async () => {
    const { fs } = await agentOn(await foldingDisk());
    await fs.write("/.env.example", "KEY=\n");
    await fs.write("/builds/x.js", "x\n");
    await fs.write("/src/.ENV", "another directory's\n");
    await fs.edit("/src/a.ts", "a", "b");
    expect((await fs.read("/src/Schlüssel/README.md")).lines[0]?.text).toBe("b");
    expect((await fs.read("/SRC/A.ts")).lines[0]).toBeDefined();
  });
});

describe("on a disk that tells spellings apart", () => {
  it("a file that stands beside what is left out, under another spelling, is a file like any other: Bazel's BUILD beside build/", async () => {
    const base = memoryStorage();
    for (const path of ["build/x.js", "BUILD", ".env"]) await base.write(path, new TextEncoder().encode("x\n"));
    const session = await agentOn(base, new Set(["/BUILD", "/build"]));
    await session.fs.edit("/BUILD", "x", "y");
    expect((await session.fs.glob("**")).paths).toEqual(["/BUILD"]);
    for (const path of ["/build/x.js", "/Build/x.js", "/.ENV"]) await expect(session.fs.write(path, "z")).rejects.toSatisfy(forbidden);
    expect(fileTools(session).length).toBeGreaterThan(0);
  });
});
