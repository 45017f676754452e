import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareTrees } from "./compare-trees.ts";

const made: string[] = [];
async function tree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "hango-compare-"));
  made.push(root);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}
afterAll(async () => {
  for (const root of made) await rm(root, { recursive: true, force: true });
});

describe("compareTrees", () => {
  it("tells equal, changed, new and missing files apart, in byte order, and leaves out what was never imported", async () => {
    const before = await tree({ "same.md": "a", "changed.md": "a", "gone.md": "a", "refused.md": "a", "node_modules/x.js": "a", "store/data": "a" });
    const after = await tree({ "same.md": "a", "changed.md": "b", "a/new.md": "a" });
    const found = await compareTrees(before, after, { except: [join(before, "store")], unless: new Set(["refused.md"]) });
    expect(found).toMatchObject({ equal: 1, different: 3 });
    expect(found.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["create a/new.md", "modify changed.md", "delete gone.md"]);
  });

  it("counts more differences than it keeps", async () => {
    const before = await tree({});
    const after = await tree(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`${i}.md`, ""])));
    const found = await compareTrees(before, after);
    expect([found.changes.length, found.different]).toEqual([20, 21]);
  });
});
