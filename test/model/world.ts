/** Two namespaces side by side and every door into them: what the operations run against, and the reference beside it. */
import { createFileSystem } from "../../packages/hango/src/fs/create-file-system.ts";
import type { FileSystem } from "../../packages/hango/src/filesystem.ts";
import { openSession } from "../../packages/hango/src/session/session.ts";
import type { Session, Tool } from "../../packages/hango/src/session/vocabulary.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import type { RecordedEvent } from "../../packages/hango/src/tenancy.ts";
import { fileTools } from "../../packages/hango/src/tools/file-tools.ts";
import { LIMITS } from "./model-files.ts";
import { MALFORMED } from "./model-storage.ts";
import type { Seen } from "./model-tools.ts";
import type { Door, VersionPick } from "./operation.ts";
import { identities } from "./rules.ts";
import { emptyTree, type Tree } from "./tree.ts";

/** What a database says of a namespace beside its files. */
export interface Books {
  readonly usage: () => Promise<{ readonly files: number; readonly bytes: number }>;
  readonly events: (limit: number) => Promise<readonly RecordedEvent[]>;
  readonly erase: () => Promise<{ readonly files: number; readonly bytes: number }>;
}

export interface Room {
  readonly storage: Storage;
  readonly books?: Books;
}

/** Where the second namespace stands: another agent of the tenant, or the same agent id of another tenant. */
export type Neighbour = "agent" | "tenant";

/** A storage to hold against the model. */
export interface Subject {
  readonly name: string;
  /** Two fresh, empty namespaces. */
  readonly rooms: (neighbour: Neighbour) => readonly [Room, Room];
  readonly search: boolean;
  readonly close: () => Promise<void>;
}

export interface Access {
  readonly storage: Storage;
  readonly fs: FileSystem;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly tree: Tree;
  readonly seen: Seen;
}

export interface World {
  readonly rooms: readonly [Room, Room];
  readonly trees: readonly [Tree, Tree];
  /** Opened when it is first used. */
  readonly door: (door: Door) => Access;
}

export function openWorld(subject: Subject, neighbour: Neighbour): World {
  const rooms = subject.rooms(neighbour);
  const trees = [emptyTree(), emptyTree()] as const;
  const [{ storage }, { storage: others }] = rooms;
  const bare = (of: Storage, tree: Tree): Access => ({ storage: of, fs: createFileSystem(of, { limits: LIMITS }), tools: new Map(), tree, seen: new Map() });
  const through = (door: Door): Access => {
    const { actor = "agent", sessionId } = identities[door];
    const session: Session = openSession({
      storage,
      actor,
      limits: LIMITS,
      tools: ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete_file", ...(subject.search ? (["search"] as const) : [])],
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(door === "two" ? { policy: { reservedWrites: "allow" } } : {}),
      ...(door === "operator" ? { principal: "pat" } : {}),
    });
    const tools = new Map(fileTools(session).map((tool) => [tool.name, tool]));
    return { storage: session.storage, fs: session.fs, tools, tree: trees[0], seen: new Map() };
  };
  const opened = new Map<Door, Access>();
  const openDoor = (door: Door): Access => (door === "owner" ? bare(storage, trees[0]) : door === "other" ? bare(others, trees[1]) : through(door));
  const door = (name: Door): Access => {
    const access = opened.get(name) ?? openDoor(name);
    opened.set(name, access);
    return access;
  };
  return { rooms, trees, door };
}

const BOGUS = "no-such-version.1";

/** The token that a pick stands for just now. */
export function versionFor({ trees }: World, tree: Tree, path: string, pick: VersionPick | undefined): string | undefined {
  const current = tree.files.get(path)?.info.version;
  const other = trees[0] === tree ? trees[1] : trees[0];
  switch (pick) {
    case undefined:
      return undefined;
    case "absent":
      return "absent";
    case "malformed":
      return MALFORMED;
    case "current":
      return current ?? tree.stale.get(path) ?? BOGUS;
    case "stale":
      return tree.stale.get(path) ?? BOGUS;
    case "foreign":
      return other.files.get(path)?.info.version ?? other.tokens.at(-1) ?? tree.tokens.find((token) => token !== current) ?? BOGUS;
  }
}
