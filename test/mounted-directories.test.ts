import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createOverlay, mountStorage, readOnlyStorage, type Storage, subtreeStorage } from "hango";
import { osStorage } from "hango/osfs";

const top = mkdtempSync(join(tmpdir(), "hango-mounted-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe("real directories in one mount", () => {
  const work = join(top, "work");
  mkdirSync(join(work, "docs"), { recursive: true });
  mkdirSync(join(top, "other"));
  symlinkSync(join(work, "docs"), join(top, "link"));
  const at = (directory: string): Storage => osStorage({ directory: join(top, directory) });
  const wraps: readonly (readonly [name: string, wrap: (storage: Storage) => Storage])[] = [
    ["as they are", (storage) => storage],
    ["through an overlay", (storage) => createOverlay({ base: storage }).storage],
    ["through a subtree", (storage) => subtreeStorage(storage, "a")],
    ["read-only", readOnlyStorage],
    ["through all of them", (storage) => readOnlyStorage(subtreeStorage(createOverlay({ base: storage }).storage, "a"))],
  ];
  it.each(wraps)("are refused when they overlap, whichever contains the other and by whatever name, %s", async (_, wrap) => {
    for (const [outer, inner] of [
      ["work", "work/docs"],
      ["work/docs", "work"],
      ["work", "link"],
      ["work", "work"],
    ] as const) {
      const [a, b] = [at(outer), at(inner)];
      expect(
        () =>
          mountStorage({
            mounts: [
              { prefix: "", storage: wrap(a) },
              { prefix: "docs", storage: wrap(b), readOnly: true },
            ],
          }),
        `${outer}, ${inner}`,
      ).toThrow(/stand on directories that overlap/);
      await a.close?.();
      await b.close?.();
    }
    const mount = mountStorage({
      mounts: [
        { prefix: "", storage: wrap(at("work")) },
        { prefix: "other", storage: wrap(at("other")) },
      ],
    });
    await mount.close?.();
  });
});
