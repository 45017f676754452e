/** A directory to play in, with something beside it that must never be reached. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { openStorage, type OsStorageOptions } from "../../packages/hango/src/storages/osfs/os-storage.ts";
import type { WalkBy } from "../../packages/hango/src/storages/osfs/root.ts";

export interface Playground {
  /** The storage's directory. */
  readonly root: string;
  readonly outside: string;
  readonly storage: Storage;
  /** Writes a file by the system's own means, its directories too; the path is below the root. */
  readonly place: (path: string, content?: string) => string;
}

export function playground(options: Partial<OsStorageOptions> & { readonly walkBy?: WalkBy } = {}): Playground {
  const { walkBy = "descriptors", ...rest } = options;
  const top = mkdtempSync(join(tmpdir(), "hango-osfs-"));
  const root = join(top, "root");
  const outside = join(top, "outside");
  for (const directory of [root, outside]) mkdirSync(directory);
  writeFileSync(join(outside, "secret.txt"), "TOPSECRET");
  const storage = openStorage({ directory: root, ...rest }, walkBy);
  onTestFinished(async () => {
    await storage.close?.();
    rmSync(top, { recursive: true, force: true });
  });
  const place = (path: string, content = "x"): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  return { root, outside, storage, place };
}

export interface Skips {
  readonly told: Map<string, string>;
  readonly onSkip: (path: string, reason: string) => void;
}

export function skips(): Skips {
  const told = new Map<string, string>();
  return { told, onSkip: (path, reason) => void told.set(path, reason) };
}
