import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { readdirSync, symlinkSync, unlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { createOverlay } from "../../packages/hango/src/layers/overlay.ts";
import { encodeUtf8 } from "../../packages/hango/src/text/utf8.ts";
import { playground } from "../support/playground.ts";
import { put } from "./trees.ts";

it("an overlay of a directory refuses at once what could never be committed: one write to .git or a link held up all other changes", async () => {
  const { root, storage: base, place } = playground();
  for (const path of [".git/config", "d/x.txt", "a.txt"]) place(path);
  for (const [name, target] of Object.entries({ link: "a.txt", alias: "d", out: "/etc", dangling: "nowhere" })) symlinkSync(target, join(root, name));
  execFileSync("mkfifo", [join(root, "pipe")]);
  const before = readdirSync(root);
  const { storage, changes, commit } = createOverlay({ base });
  for (const path of [".git/config", "new/.GIT/hooks/x", "link", "alias/x.txt", "alias/new", "out/passwd", "dangling", "dangling/x"]) {
    await expect(storage.write(path, encodeUtf8("x"))).rejects.toMatchObject({ code: "forbidden", path: `/${path}` });
    await expect(
      storage.apply?.([
        { kind: "create", path: "fine", bytes: encodeUtf8("x") },
        { kind: "create", path, bytes: encodeUtf8("x") },
      ]),
    ).rejects.toSatisfy((error) => ["forbidden", "already_exists"].includes((error as { readonly code: string }).code));
  }
  for (const path of ["link", "alias/x.txt"]) await expect(storage.delete(path)).rejects.toMatchObject({ code: "forbidden" });
  await expect(storage.delete(".git/config")).rejects.toMatchObject({ code: "not_found" });
  await expect(put(storage, "pipe", "x")).rejects.toMatchObject({ code: "not_a_file" });
  expect([await changes(), readdirSync(root)]).toEqual([[], before]);
  // A file on the way may be deleted first: that is for the overlay to know.
  await storage.delete("a.txt");
  await put(storage, "a.txt/b.txt", "x");
  await commit();
  expect(readdirSync(join(root, "a.txt"))).toEqual(["b.txt"]);
});

it("a path that is held is let go of even when a link has come to stand there meanwhile", async () => {
  const { root, storage: base } = playground();
  const { storage, changes, commit } = createOverlay({ base });
  await put(storage, "n", "mine");
  symlinkSync("nowhere", join(root, "n"));
  await expect(commit()).rejects.toMatchObject({ code: "forbidden", path: "/n" });
  await storage.delete("n");
  expect(await changes()).toEqual([]);
  unlinkSync(join(root, "n"));
});
