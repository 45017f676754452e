import { expect, it } from "vitest";
import { createOverlay } from "../layers/overlay.ts";
import { mountStorage } from "../layers/mount.ts";
import { subtreeStorage } from "../layers/subtree.ts";
import { HangoError, shownPath } from "../errors.ts";
import { memoryStorage } from "../storages/memory.ts";
import { forbiddenIn, withForbidden } from "./forbidden.ts";

const base = withForbidden(memoryStorage(), async (path) => {
  const shown = shownPath(path);
  return path.startsWith("in/never") ? new HangoError("forbidden", `${shown} never changes.`, { path: shown }) : undefined;
});

it("what a storage never changes is known through mounts, subtrees and overlays, in the paths of each", async () => {
  const top = mountStorage({
    mounts: [
      { prefix: "", storage: memoryStorage() },
      { prefix: "m", storage: subtreeStorage(createOverlay({ base }).storage, "in") },
    ],
  });
  expect(await forbiddenIn(top, "m/never/a")).toMatchObject({ code: "forbidden", path: "/m/never/a", message: "/m/never/a never changes." });
  for (const path of ["m/other", "never", "m"]) expect(await forbiddenIn(top, path)).toBeUndefined();
  expect(await forbiddenIn(memoryStorage(), "a")).toBeUndefined();
});
