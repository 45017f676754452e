import { describe, expect, it } from "vitest";
import { encodeUtf8 } from "../../text/utf8.ts";
import { foldingStorage } from "../../../../../test/overlay/folding-storage.ts";
import { get, kinds, pathsIn, put, tree } from "../../../../../test/overlay/trees.ts";
import { createOverlay } from "../overlay.ts";

describe("an overlay's changes", () => {
  it("are what commit would do, sorted by path, with the base's previous bytes", async () => {
    const overlay = createOverlay({ base: await tree({ b: "old", z: "gone", same: "x" }) });
    await put(overlay.storage, "y", "new");
    await put(overlay.storage, "b", "changed");
    await overlay.storage.delete("z");
    await put(overlay.storage, "a", "first");
    expect(await overlay.changes()).toEqual([
      { kind: "create", path: "a", bytes: encodeUtf8("first"), contentType: "text/plain" },
      { kind: "modify", path: "b", bytes: encodeUtf8("changed"), contentType: "text/plain", previous: encodeUtf8("old") },
      { kind: "create", path: "y", bytes: encodeUtf8("new"), contentType: "text/plain" },
      { kind: "delete", path: "z", previous: encodeUtf8("gone") },
    ]);
  });

  it("leave out writes equal to the base, also under another content type, and deletes of what the base never had", async () => {
    const base = await tree({ a: "base", b: "base" });
    const overlay = createOverlay({ base });
    await overlay.storage.write("a", encodeUtf8("base"), { contentType: "text/x-own" });
    await put(overlay.storage, "b", "else");
    await put(overlay.storage, "b", "base");
    await put(overlay.storage, "new", "x");
    await overlay.storage.delete("new");
    expect(await kinds(overlay)).toEqual([]);
    const before = await base.list();
    expect(await overlay.commit()).toEqual([]);
    expect(await base.list()).toEqual(before);
  });

  it("list a write next to a pending delete of the same path in another case as a create, in either order, and commit keeps the new name", async () => {
    for (const order of ["delete first", "write first"]) {
      const base = await tree({ "Readme.md": "text" }, foldingStorage());
      const overlay = createOverlay({ base });
      if (order === "delete first") await overlay.storage.delete("Readme.md");
      if (order === "delete first") await expect(overlay.storage.read("README.md")).rejects.toMatchObject({ code: "not_found" });
      await put(overlay.storage, "README.md", "text");
      if (order === "write first") await overlay.storage.delete("Readme.md");
      expect(await kinds(overlay), order).toEqual(["create README.md", "delete Readme.md"]);
      expect(await pathsIn(overlay.storage), order).toEqual(["README.md"]);
      await overlay.commit();
      expect([await pathsIn(base), await get(base, "README.md"), await kinds(overlay)], order).toEqual([["README.md"], "text", []]);
    }
  });

  it("keep such a write as no change where the base lists both spellings", async () => {
    const base = await tree({ "Readme.md": "text", "README.md": "text" });
    const overlay = createOverlay({ base });
    await overlay.storage.delete("Readme.md");
    await put(overlay.storage, "README.md", "text");
    expect(await kinds(overlay)).toEqual(["delete Readme.md"]);
    await overlay.commit();
    expect(await pathsIn(base)).toEqual(["README.md"]);
  });

  it("are forgotten by discard, and the base's tokens are back", async () => {
    const base = await tree({ a: "1" });
    const overlay = createOverlay({ base });
    await put(overlay.storage, "a", "2");
    await put(overlay.storage, "b", "2");
    overlay.discard();
    expect([await kinds(overlay), await overlay.storage.list()]).toEqual([[], await base.list()]);
  });
});
