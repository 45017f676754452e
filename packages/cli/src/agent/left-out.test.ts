import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { leftOutOf } from "./left-out.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "hango-left-out-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

describe("leftOutOf", () => {
  it("names what .gitignore files name, the nested and the repository's own too, and every node_modules once", async () => {
    await put({
      ".gitignore": "*.log\n/dist/\n.env\n!keep.log\n",
      ".git/info/exclude": "notes.private\n",
      ".git/config": "",
      "a.log": "",
      "keep.log": "",
      ".env": "SECRET=1",
      "dist/x.js": "",
      "src/dist/y.js": "",
      "notes.private": "",
      "packages/web/.gitignore": "build/\n!important.log\n",
      "packages/web/build/z.js": "",
      "packages/web/important.log": "",
      "packages/web/node_modules/a/node_modules/b.js": "",
      "node_modules/a.js": "",
    });
    expect(await leftOutOf(root)).toEqual([
      "/.env",
      "/a.log",
      "/dist/",
      "/node_modules/",
      "/notes.private",
      "/packages/web/build/",
      "/packages/web/node_modules/",
    ]);
  });

  it("reads the ignore files of the repository that the directory lies in", async () => {
    await put({ ".gitignore": "*.log\n/sub/built/\n", ".git/HEAD": "", "sub/a.log": "", "sub/built/x.js": "", "sub/b.ts": "" });
    expect(await leftOutOf(join(root, "sub"))).toEqual(["/a.log", "/built/"]);
  });

  it("follows no link, also not one that goes round", async () => {
    await put({ "src/a.ts": "" });
    await symlink(root, join(root, "src/round"));
    expect(await leftOutOf(root)).toEqual([]);
  });

  it("leaves out nothing where there is nothing to leave out", async () => {
    await put({ "a b/ü.md": "" });
    expect(await leftOutOf(root)).toEqual([]);
  });
});
