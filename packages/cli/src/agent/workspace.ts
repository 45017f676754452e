/** What a run works on: a directory or a namespace, with every change held back until it is committed. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import {
  type Namespace,
  type Overlay,
  type Session,
  type Storage,
  HangoError,
  createOverlay,
  isHangoError,
  memoryStorage,
  mountStorage,
  openSession,
  parseAgentPath,
  subtreeStorage,
} from "hango";
import { osStorage } from "hango/osfs";
import { closing } from "../interrupt.ts";
import { plain, say } from "../output.ts";
import { type StoreOptions, openStore } from "../store.ts";
import { type LeftOut, excludedFrom, leftOutOf } from "./left-out.ts";
import { hideSpellings } from "./left-out-spellings.ts";
import { runStorage } from "./run-storage.ts";

export interface Workspace {
  readonly overlay: Overlay;
  readonly session: Session;
  readonly sessionId: string;
  /** Whose the files are, in a database. */
  readonly agent?: { readonly name: string; readonly namespace: Namespace };
  /** For the person: what the files are. */
  readonly shown: string;
  /** Paths that the agent neither sees nor changes, as the ignore files name them. */
  readonly leftOut: readonly string[];
  readonly close: () => Promise<void>;
}

export interface DirectoryOptions {
  readonly exclude: readonly string[];
  /** False: what .gitignore names is there like everything else. */
  readonly ignore: boolean;
  /** As in osStorage. */
  readonly acceptLinkRaces?: boolean;
}

const MACHINE = ["large_tool_results", "conversation_history"] as const;

/** The agent's large results stay in memory: a directory has no place for them, and they end with the run. */
export async function openDirectory(given: string, { exclude, ignore, acceptLinkRaces = false }: DirectoryOptions): Promise<Workspace> {
  const directory = resolve(given);
  const base = baseIn(directory, acceptLinkRaces);
  const excluded = await Promise.all(exclude.map((path) => excludedFrom(directory, path)));
  await tellUnknown(
    base,
    excluded.flatMap(({ paths }) => paths),
  );
  const ignored = ignore ? [await leftOutOf(directory)] : [];
  const leftOut: LeftOut = {
    paths: [...ignored.flatMap(({ paths }) => paths), ...excluded.flatMap(({ paths }) => paths.map(asTree))],
    twins: new Set([...ignored, ...excluded].flatMap(({ twins }) => [...twins])),
  };
  return {
    ...compose(base, {
      sessionId: randomUUID(),
      machine: () => memoryStorage(),
      leftOut: leftOut.paths,
      hiding: (storage) => hideSpellings(storage, leftOut),
    }),
    shown: directory,
    leftOut: leftOut.paths,
    close: closing(async () => base.close?.()),
  };
}

/** The agent's large results go to the database at once, so that a later run of the same session can read them. */
export async function openNamespace(options: StoreOptions, { exclude }: Pick<DirectoryOptions, "exclude">): Promise<Workspace> {
  const store = await openStore(options);
  try {
    const sessionId = store.sessionId ?? randomUUID();
    const leftOut = exclude.map(asTree);
    await tellUnknown(store.storage, exclude);
    return {
      ...compose(store.storage, { sessionId, machine: (name) => subtreeStorage(store.storage, name), leftOut, hiding: (storage) => storage }),
      agent: { name: options.agent, namespace: store.namespace },
      shown: `the agent “${options.agent}” of the tenant “${options.tenant}” in the database (session ${sessionId})`,
      leftOut,
      close: store.close,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function baseIn(directory: string, acceptLinkRaces: boolean): Storage {
  try {
    return osStorage({ directory, acceptLinkRaces });
  } catch (cause) {
    if (!isHangoError(cause, "unsupported")) throw cause;
    throw new HangoError(
      "unsupported",
      `On ${process.platform}, hango can't rule out that another program swaps a link into ${directory} at the moment a file is opened, and so leads the agent outside of it. If no other program does that there, say so with --accept-link-races.`,
      { cause },
    );
  }
}

/** A path that was misspelled would hide nothing. */
async function tellUnknown(base: Storage, exclude: readonly string[]): Promise<void> {
  for (const path of exclude)
    if ((await base.stat(parseAgentPath(path).slice(1))) === undefined)
      say(`--exclude ${plain(path)}: the agent sees no such file anyway. Is it spelled as in the directory, and from there on?`);
}

interface Composition {
  readonly sessionId: string;
  readonly machine: (name: string) => Storage;
  readonly leftOut: readonly string[];
  /** A directory's disk may take other spellings for what is left out; a database takes none. */
  readonly hiding: (storage: Storage) => Storage;
}

function compose(base: Storage, { sessionId, machine, leftOut, hiding }: Composition): Pick<Workspace, "overlay" | "session" | "sessionId"> {
  const overlay = createOverlay({ base });
  const storage = mountStorage({
    mounts: [{ prefix: "", storage: hiding(runStorage(overlay.storage, base)) }, ...MACHINE.map((prefix) => ({ prefix, storage: machine(prefix) }))],
  });
  const session = openSession({
    storage,
    sessionId,
    tools: ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete_file"],
    ...(leftOut.length === 0 ? {} : { policy: { permissions: [{ operations: ["read", "write"], paths: leftOut.flatMap(rulesFor), mode: "deny" }] } }),
  });
  return { overlay, session, sessionId };
}

/** A rule for "/build/" is about what lies below: the name itself needs its own. */
function rulesFor(path: string): readonly string[] {
  return path.endsWith("/") ? [path.slice(0, -1), path] : [path];
}

/** What a person excludes may be a file or a directory. */
function asTree(path: string): string {
  return `${path.replace(/\/+$/, "")}/`;
}
