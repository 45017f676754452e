import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { excludedFrom, leftOutOf } from "./left-out.ts";

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
    expect((await leftOutOf(root)).paths).toEqual([
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
    expect((await leftOutOf(join(root, "sub"))).paths).toEqual(["/a.log", "/built/"]);
  });

  it("follows no link, also not one that goes round", async () => {
    await put({ "src/a.ts": "" });
    await symlink(root, join(root, "src/round"));
    expect((await leftOutOf(root)).paths).toEqual([]);
  });

  it("leaves out nothing where there is nothing to leave out", async () => {
    await put({ "a b/ü.md": "" });
    expect((await leftOutOf(root)).paths).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "leaves out what git does, also where an exception has other letters: “!SAMPLE.env” showed an ignored sample.env",
    async () => {
      await put({ ".gitignore": "*.env\n!SAMPLE.env\n", "sample.env": "", "SAMPLE.env": "" });
      expect((await leftOutOf(root)).paths).toEqual(["/sample.env"]);
    },
  );

  it("knows where the disk tells two spellings apart", async () => {
    await put({ ".gitignore": "build/\n", "build/x.js": "", BUILD: "", "src/a.ts": "" });
    const { paths, twins } = await leftOutOf(root);
    expect([paths, [...twins].toSorted()]).toEqual([["/build/"], ["/BUILD", "/build"]]);
  });
});

describe("excludedFrom", () => {
  it("takes a path as the disk spells it: --exclude /secrets hid nothing of a directory Secrets, on a disk where the two are one", async () => {
    await put({ "Secrets/Keys/a": "", "Geheimni\u0301s/b": "" });
    expect((await excludedFrom(root, "/secrets")).paths).toEqual(["/Secrets"]);
    expect((await excludedFrom(root, "/SECRETS/keys/")).paths).toEqual(["/Secrets/Keys"]);
    expect((await excludedFrom(root, "/geheimn\u00eds")).paths).toEqual(["/Geheimni\u0301s"]);
    expect((await excludedFrom(root, "/nowhere/x")).paths).toEqual(["/nowhere/x"]);
  });

  it("takes the very name where it stands beside another spelling", async () => {
    await put({ "build/x": "", BUILD: "" });
    const { paths, twins } = await excludedFrom(root, "/build");
    expect([paths, [...twins].toSorted()]).toEqual([["/build"], ["/BUILD", "/build"]]);
  });
});
