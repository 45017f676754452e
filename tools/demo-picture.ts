/** Runs the demo on a copy of this repository and draws what it printed: `npm run picture` makes docs/demo.svg. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawTerminal } from "./draw-terminal.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
export const PICTURE: string = join(root, "docs/demo.svg");
export const CAPTION =
  "hango demo: an import, a grep, an agent whose large result is offloaded and whose stale edit is refused, an export, the store's figures";

/** The parts of the screen that fit a page, by a line that each holds. */
const KEPT: readonly RegExp[] = [
  /^hango demo: /,
  /^A grep for /,
  /^The agent's turn/,
  /^ +\d+ {2}project_report /,
  /^ +── a second session/,
  /^ +│ Error \(conflict\)/,
  /^The tree, exported again/,
  /^What is in the store now/,
  /^Go on from here/,
];

/** The parts of a screen that are worth a picture, with a sign where others were. */
export function excerpt(screen: string): string {
  const parts: string[] = [];
  for (const part of screen.trim().split("\n\n")) {
    const lines = part.replaceAll(/\u001B\[\d+m/g, "").split("\n");
    if (lines.some((line) => KEPT.some((kept) => kept.test(line)))) parts.push(part);
    else if (parts.at(-1) !== "     ⋮") parts.push("     ⋮");
  }
  return parts.join("\n\n");
}

/** What the built command prints about a copy of this repository, in colour. */
function screenOfDemo(): string {
  const home = mkdtempSync(join(tmpdir(), "hango-picture-"));
  try {
    const copy = join(home, "hango");
    for (const file of execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" }).split("\0")) {
      // The last picture, and what is listed but gone from the working tree, are not there.
      if (file === "" || join(root, file) === PICTURE || !existsSync(join(root, file))) continue;
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
    const { NO_COLOR: _none, ...env } = process.env;
    return execFileSync(process.execPath, [join(root, "packages/cli/bin/hango.mjs"), "demo", "."], {
      cwd: copy,
      env: { ...env, HOME: home, FORCE_COLOR: "1" },
      encoding: "utf8",
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

if (import.meta.main) writeFileSync(PICTURE, drawTerminal(`\u001B[1m$ npx hango demo .\u001B[22m\n\n${excerpt(screenOfDemo())}`, { caption: CAPTION }));
