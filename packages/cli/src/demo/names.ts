/** What the demo calls things, so that every other command can be pointed at them. */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, isAbsolute, join, relative, sep } from "node:path";

export const DEMO_TENANT = "demo";
const LONGEST_READABLE = 24;

/** "my-project-1f9c2a": what `--agent` takes. Each directory is an agent of its own, so that two of them share a store and nothing else. */
export function agentNameOf(directory: string): string {
  const readable = basename(directory)
    .replaceAll(/[^A-Za-z0-9._]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "")
    .slice(0, LONGEST_READABLE);
  return `${readable === "" ? "files" : readable}-${createHash("sha256").update(directory).digest("hex").slice(0, 6)}`;
}

/** As one would type it here: below the current directory, else absolute. */
export function fromHere(path: string): string {
  const below = relative(process.cwd(), path);
  return below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below) ? path : below;
}

/** As one would say it: also below the home directory. */
export function shownPlace(path: string): string {
  const home = homedir();
  const here = fromHere(path);
  return here.startsWith(join(home, sep)) ? `~${here.slice(home.length)}` : here;
}
