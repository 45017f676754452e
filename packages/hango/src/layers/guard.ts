/** The layer that stands before everything else of a session: who may see and change what. It runs on the full path, before any mount. */
import { assertStorage } from "../contract/define-storage.ts";
import { defineLayer } from "../contract/define-layer.ts";
import { withRootsOf } from "../contract/roots.ts";
import type { Limits } from "../limits.ts";
import { isShown } from "../path/filter.ts";
import type {
  CallOptions,
  DeleteOptions,
  FileData,
  FileInfo,
  FilePath,
  FilterOptions,
  GrepHit,
  GrepQuery,
  LinePage,
  LineQuery,
  ListOptions,
  Mutation,
  Origin,
  PathFilter,
  Storage,
  StorageImplementation,
  Version,
  WriteOptions,
} from "../storage.ts";
import type { Who } from "./guard/actors.ts";
import { carryOut, clear, refuseForbidden, refuseForbiddenTree, type AskedChange, type Cleared, type Rules } from "./guard/changes.ts";
import { parsePermissions, type Policy } from "./guard/policy.ts";
import { createReads } from "./guard/reads.ts";

export type { ApprovalRequest, Operation, Permission, Policy } from "./guard/policy.ts";

export interface GuardOptions {
  readonly actor: Origin["actor"];
  /** A lower-case UUID. Agents and the system have one; an operator may name one. */
  readonly sessionId?: string | undefined;
  readonly principal?: string | undefined;
  readonly limits: Limits;
  readonly policy?: Policy;
}

export interface Guard {
  readonly storage: Storage;
  /** Refuses what no one could allow, before anything is read. Errors: forbidden, unavailable. */
  readonly refuse: (kind: "write" | "delete", path: FilePath, origin?: Origin) => Promise<void>;
  /** The same for a path that is deleted with all that is below it. */
  readonly refuseTree: (path: FilePath, origin?: Origin) => Promise<void>;
  /** What the session's rules say of reading a path; nothing is asked. */
  readonly readMode: (path: FilePath) => "allow" | "deny" | "ask";
}

/** Guards a storage for one actor. Errors: invalid_argument for what is not a Storage. */
export function guardStorage(storage: Storage, options: GuardOptions): Storage {
  return createGuard(storage, options).storage;
}

/** The same, with the door for a caller that must refuse before it reads (an edit, a recursive delete). */
export function createGuard(inner: Storage, options: GuardOptions): Guard {
  assertStorage(inner, "storage");
  const { actor, sessionId, principal, limits, policy = {} } = options;
  const who: Who = { actor, sessionId, reservedWrites: policy.reservedWrites ?? "refuse" };
  const permissions = parsePermissions(policy.permissions);
  const rules: Rules = { inner, who, limits, permissions, approve: policy.approve };

  const originOf = (given?: Origin): Origin => ({
    ...given,
    actor,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(principal === undefined ? {} : { principal }),
  });
  const signed = <T extends CallOptions>(given: T): T & { readonly origin: Origin } => ({ ...given, origin: originOf(given.origin) });
  const filtered = <T extends FilterOptions>(given: T, filters: readonly PathFilter[]): T & { readonly origin: Origin } =>
    signed({ ...given, filters: [...(given.filters ?? []), ...filters] });

  const reads = createReads({ who, permissions, approve: policy.approve, statListed: (path, options) => inner.stat(path, filtered(options, reads.listed)) });
  const { listed, searched, reading } = reads;

  async function read(path: FilePath, given: CallOptions = {}): Promise<FileData> {
    return reading(path, given, () => inner.read(path, signed(given)));
  }

  async function lines(path: FilePath, query: LineQuery): Promise<LinePage> {
    return reading(path, query, () => inner.lines(path, signed(query)));
  }

  async function write(path: FilePath, bytes: Uint8Array, given: WriteOptions = {}): Promise<FileInfo> {
    const call = signed(given);
    const cleared = await clear(rules, [{ kind: "write", path, bytes, ifVersion: given.ifVersion }], call);
    return carryOut(rules, cleared, { origin: call.origin, run: () => inner.write(path, bytes, { ...call, ...pinOf(cleared) }) });
  }

  async function remove(path: FilePath, given: DeleteOptions = {}): Promise<void> {
    const call = signed(given);
    const cleared = await clear(rules, [{ kind: "delete", path, ifVersion: given.ifVersion }], call);
    await carryOut(rules, cleared, { origin: call.origin, run: () => inner.delete(path, { ...call, ...pinOf(cleared) }) });
  }

  async function applyAll(mutations: readonly Mutation[], given: CallOptions = {}): Promise<readonly FileInfo[]> {
    const call = signed(given);
    const cleared = await clear(rules, mutations.map(changeOf), call);
    const pinned = mutations.map((mutation, index) => pin(mutation, cleared[index]?.ifVersion));
    return carryOut(rules, cleared, { origin: call.origin, run: async () => (await inner.apply?.(pinned, call)) ?? [] });
  }

  const { apply, record, search } = inner;
  const searchShown: StorageImplementation["search"] = search && {
    syntax: search.syntax,
    paths: async (query, given: ListOptions = {}) => {
      reads.tellAsked(given.prefix ?? "", given.onSkip);
      return (await search.paths(query, filtered(given, searched))).filter((path) => isShown(path, searched));
    },
  };

  async function grep(query: GrepQuery): Promise<readonly GrepHit[]> {
    reads.tellAsked(query.root, query.onSkip);
    return inner.grep(filtered(query, searched));
  }

  const storage = defineLayer({
    name: inner.name,
    list: (given = {}) => inner.list(filtered(given, listed)),
    read,
    write,
    delete: remove,
    search: searchShown,
    apply: apply && applyAll,
    record: record && ((event, given = {}) => record(event, signed(given))),
    // A session does not own its storage.
    close: undefined,
    stat: async (path, given = {}) => {
      if (path !== "") reads.refuseDenied(path);
      return inner.stat(path, filtered(given, listed));
    },
    ls: (directory, given = {}) => inner.ls(directory, filtered(given, listed)),
    lines,
    glob: (query) => inner.glob(filtered(query, listed)),
    grep,
  });

  return {
    storage: withRootsOf(storage, [inner]),
    refuse: async (kind, path, origin) => {
      await refuseForbidden(rules, { kind, path }, originOf(origin));
    },
    refuseTree: (path, origin) => refuseForbiddenTree(rules, path, originOf(origin)),
    readMode: reads.readMode,
  };
}

function changeOf(mutation: Mutation): AskedChange {
  const path = mutation.path as FilePath;
  if (mutation.kind === "create") return { kind: "write", path, bytes: mutation.bytes, ifVersion: "absent" };
  const { ifVersion } = mutation;
  if (mutation.kind === "delete") return { kind: "delete", path, ifVersion, mustExist: true };
  return { kind: "write", path, bytes: mutation.bytes, ifVersion, mustExist: true };
}

/** What a person approved, for a call of one change. */
function pinOf(cleared: readonly Cleared[]): Pick<Cleared, "ifVersion"> {
  const ifVersion = cleared[0]?.ifVersion;
  return ifVersion === undefined ? {} : { ifVersion };
}

/** A mutation over the version that a person approved. */
function pin(mutation: Mutation, ifVersion: Version | "absent" | undefined): Mutation {
  return mutation.kind === "create" || ifVersion === undefined || ifVersion === "absent" ? mutation : { ...mutation, ifVersion };
}
