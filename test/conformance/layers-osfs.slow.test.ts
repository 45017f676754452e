import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { osStorage } from "hango/osfs";
import { bindLayers } from "./bind-layers.ts";

const top = mkdtempSync(join(tmpdir(), "hango-layers-osfs-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

bindLayers({
  name: "a directory",
  open: () => osStorage({ directory: mkdtempSync(join(top, "root-")) }),
  lacks: ["search", "apply", "record", "content types"],
});
