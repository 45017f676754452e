/** A disk of a few megabytes, where this machine lets one be mounted. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  readonly resize: (megabytes: number) => void;
  readonly remove: () => void;
}

const MIN_MEGABYTES = 1;

/** Answers undefined without the right to mount. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), "hango-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0777`, "hango-test", path], { stdio: "ignore" });
  } catch (error) {
    rmdirSync(path);
    if (error instanceof Error) return undefined;
    throw error;
  }
  chmodSync(path, 0o777);
  return {
    path,
    resize: (size) => void execFileSync("mount", ["-o", `remount,size=${size}m`, path], { stdio: "ignore" }),
    remove: () => {
      execFileSync("umount", ["-l", path], { stdio: "ignore" });
      rmdirSync(path);
    },
  };
}

/** Whether tests that need one can run here. */
export function canMount(): boolean {
  const disk = smallDisk(MIN_MEGABYTES);
  disk?.remove();
  return disk !== undefined;
}
