import { describe, expect, it } from "vitest";
import { memoryStorage } from "../storages/memory.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { defineLayer } from "./define-layer.ts";

const inner = memoryStorage();
const methods = { name: "layer", list: inner.list, read: inner.read, write: inner.write, delete: inner.delete };
const features = { search: undefined, apply: undefined, record: undefined, close: undefined };
const accelerators = { stat: undefined, ls: undefined, lines: undefined, glob: undefined, grep: undefined };

describe("defineLayer", () => {
  it("makes a Storage of a layer that names everything", async () => {
    const layer = defineLayer({ ...methods, ...features, ...accelerators });
    await layer.write("a/b.md", encodeUtf8("x"));
    expect((await layer.ls("a")).length).toBe(1);
    expect("search" in layer).toBe(false);
  });

  it("does not compile a layer that forgets a feature or an accelerator", () => {
    const { grep: _grep, ...withoutGrep } = accelerators;
    const { search: _search, ...withoutSearch } = features;
    // @ts-expect-error grep is missing
    defineLayer({ ...methods, ...features, ...withoutGrep });
    // @ts-expect-error search is missing
    defineLayer({ ...methods, ...withoutSearch, ...accelerators });
    expect.assertions(0);
  });
});
