/** One run of an agent, or one person at a door: a guarded storage, the files on it, and what its tools need. */
import { ACTORS, checkCall } from "../contract/check-options.ts";
import { assertStorage } from "../contract/define-storage.ts";
import { checkOptionNames, HangoError } from "../errors.ts";
import { createFileSystem } from "../fs/create-file-system.ts";
import { createGuard, guardStorage, type Policy } from "../layers/guard.ts";
import { resolveLimits, type Limits } from "../limits.ts";
import { parseUuid } from "../path/uuid.ts";
import type { Origin, Storage } from "../storage.ts";
import { dependableEstimator, heuristicEstimator } from "./estimator.ts";
import { createOffload } from "./offload.ts";
import { withParts } from "./parts.ts";
import { sessionPrompt } from "./prompt.ts";
import { checkSessionShape } from "./shape.ts";
import { memorySeen, seenTexts } from "./seen.ts";
import { sessionFiles } from "./session-files.ts";
import type { Estimator, SeenStore, Session, ToolName } from "./vocabulary.ts";

export interface SessionOptions {
  readonly storage: Storage;
  /** A UUID; required for agent and system. */
  readonly sessionId?: string;
  /** Default agent. */
  readonly actor?: Origin["actor"];
  readonly principal?: string;
  readonly limits?: Partial<Limits>;
  readonly policy?: Policy;
  /** Default: ls, read_file, write_file, edit_file, glob, grep, and search when the storage has it. Previews name only these. */
  readonly tools?: readonly ToolName[];
  /** Default heuristicEstimator, which also answers where this one throws or gives no number. */
  readonly estimator?: Estimator;
  /** Default: in memory, the last 10,000 paths. Give one to keep it across requests. */
  readonly seen?: SeenStore;
}

const optionNames: Readonly<Record<keyof SessionOptions, true>> = {
  storage: true,
  sessionId: true,
  actor: true,
  principal: true,
  limits: true,
  policy: true,
  tools: true,
  estimator: true,
  seen: true,
};
const policyNames: Readonly<Record<keyof Policy, true>> = { reservedWrites: true, permissions: true, approve: true };
const standardTools: readonly ToolName[] = ["ls", "read_file", "write_file", "edit_file", "glob", "grep"];
const allTools: ReadonlySet<string> = new Set([...standardTools, "delete_file", "search"]);

/** Opens a session: the one way in which every door composes guard, files and tools. Errors: invalid_argument, and unsupported for a search tool over a storage without search. */
export function openSession(options: SessionOptions): Session {
  checkSessionShape(options);
  checkOptionNames("openSession", options, Object.keys(optionNames));
  const { storage, actor = "agent", principal, policy = {} } = options;
  checkOptionNames("policy", policy, Object.keys(policyNames));
  assertStorage(storage, "openSession's storage");
  if (!ACTORS.has(actor)) throw new HangoError("invalid_argument", `actor is ${JSON.stringify(actor)}; it must be agent, operator or system.`);
  checkCall({ origin: { actor, ...(principal === undefined ? {} : { principal }) } });
  checkReservedWrites(policy.reservedWrites);
  const sessionId = sessionIdOf(options.sessionId, actor);
  const limits = resolveLimits(options.limits);
  const tools = toolNames(options.tools, storage);
  const estimator = dependableEstimator(options.estimator ?? heuristicEstimator);

  const guard = createGuard(storage, { actor, limits, policy, sessionId, principal });
  const system = sessionId === undefined ? undefined : guardStorage(storage, { actor: "system", sessionId, limits, principal });
  // What the system writes is bounded by the guard, as a stored result.
  const fileLimits = actor === "system" ? { ...limits, maxFileBytes: limits.maxOffloadBytes } : limits;
  const fs = sessionFiles(createFileSystem(guard.storage, { limits: fileLimits }), guard, limits);
  const session: Session = {
    ...(sessionId === undefined ? {} : { sessionId }),
    fs,
    storage: guard.storage,
    prompt: sessionPrompt(tools, policy.reservedWrites ?? "refuse"),
    offload: createOffload({ storage: system, sessionId, limits, estimator, tools }),
  };
  return withParts(session, { limits, estimator, seen: options.seen ?? memorySeen(), texts: seenTexts(), tools, readMode: guard.readMode, actor, principal });
}

function sessionIdOf(given: string | undefined, actor: Origin["actor"]): string | undefined {
  if (given !== undefined) return parseUuid(given, "sessionId");
  if (actor === "operator") return undefined;
  throw new HangoError(
    "invalid_argument",
    `A session of actor ${actor} needs a sessionId: a UUID of its own (crypto.randomUUID(), or uuidFor of an id you have). Only an operator may have none.`,
  );
}

function checkReservedWrites(value: Policy["reservedWrites"]): void {
  if (value === undefined || ["refuse", "ask", "allow"].includes(value)) return;
  throw new HangoError("invalid_argument", `policy.reservedWrites is ${JSON.stringify(value)}; it must be refuse, ask or allow.`);
}

function toolNames(given: readonly ToolName[] | undefined, storage: Storage): readonly ToolName[] {
  if (given === undefined) return storage.search === undefined ? standardTools : [...standardTools, "search"];
  const unknown = given.filter((name) => !allTools.has(name));
  if (unknown.length > 0)
    throw new HangoError(
      "invalid_argument",
      `tools names ${unknown.map((name) => JSON.stringify(name)).join(", ")}; the file tools are ${[...allTools].join(", ")}.`,
    );
  if (given.includes("search") && storage.search === undefined)
    throw new HangoError("unsupported", `tools names "search", and the storage "${storage.name}" has no search. Leave it out; grep is there.`);
  return [...new Set(given)];
}
