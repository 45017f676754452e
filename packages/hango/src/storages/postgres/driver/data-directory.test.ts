import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDataDirectory } from "./data-directory.ts";

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "hango-directory-test-"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("a data directory", () => {
  it("that was removed, emptied or replaced under an open database is refused, where writes were acknowledged and lost before", () => {
    const path = join(base, "data");
    const directory = openDataDirectory(path);
    directory.prepare();
    directory.check();
    const fill = (): void => {
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, "PG_VERSION"), "18\n");
    };
    fill();
    directory.created();
    directory.check();
    for (const change of [() => rmSync(path, { recursive: true }), () => mkdirSync(path), () => writeFileSync(join(path, "PG_VERSION"), "18\n")]) {
      change();
      expect(() => directory.check()).toThrow(
        expect.objectContaining({ code: "unavailable", message: expect.stringContaining(`${path} was removed or replaced`) }) as Error,
      );
    }
    directory.release();
  });

  it("that is temporary takes no listener of its own: node warned of a leak from the eleventh on", () => {
    const before = process.listenerCount("exit");
    const directories = Array.from({ length: 12 }, () => openDataDirectory(""));
    expect(process.listenerCount("exit")).toBe(before + 1);
    for (const directory of directories) directory.release();
    expect([process.listenerCount("exit"), directories.some(({ path }) => existsSync(path))]).toEqual([before, false]);
  });
});
