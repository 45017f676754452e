/** Builds the packages when a dist is missing, as after `npm ci --ignore-scripts`. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = ["packages/hango/dist/index.mjs", "packages/cli/dist/main.mjs"].every((file) => existsSync(root + file));
if (!built) {
  const { status } = spawnSync("npm", ["run", "build"], { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  process.exitCode = status ?? 1;
}
