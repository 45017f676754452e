/** All that session one can observe of a sequence of calls, as text: answers, errors, details; versions by the order in which they first show. */
import { isHangoError } from "../../packages/hango/src/errors.ts";
import { createFileSystem } from "../../packages/hango/src/fs/create-file-system.ts";
import { openSession } from "../../packages/hango/src/session/session.ts";
import type { Limits } from "../../packages/hango/src/limits.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { fileTools } from "../../packages/hango/src/tools/file-tools.ts";
import type { Door, Operation, VersionPick } from "../model/operation.ts";
import { filePathOf, isBadAgentPath, isBadStoragePath } from "../model/paths.ts";
import { perform } from "../model/perform.ts";
import { identities } from "../model/rules.ts";
import { emptyTree } from "../model/tree.ts";
import type { Access } from "../model/world.ts";

export interface ObserveOptions {
  readonly storage: Storage;
  readonly limits: Partial<Limits>;
  /** Between two calls. */
  readonly between?: (turn: number) => Promise<void>;
}

/** One line a call. Calls by the owner are made and left out: they are the hand that sets the scene. */
export async function observe(operations: readonly Operation[], { storage, limits, between }: ObserveOptions): Promise<readonly string[]> {
  const doors = new Map<Door, Access>();
  const doorTo = (door: Door): Access => {
    const access = doors.get(door) ?? openDoor(storage, door, limits);
    doors.set(door, access);
    return access;
  };
  const versions = new Map<string, string>();
  const lines: string[] = [];
  for (const [turn, operation] of operations.entries()) {
    const tokens = await tokensFor(storage, operation);
    const call = {
      access: doorTo(operation.door),
      version: (path: string, pick: VersionPick | undefined) => tokenOf(tokens, path, pick),
      toolCallId: `call-${turn}`,
    };
    const seen = await told(() => perform(call, operation));
    if (operation.door !== "owner") lines.push(`${JSON.stringify(operation)}\n  => ${normalised(seen, versions)}`);
    await between?.(turn);
  }
  return lines;
}

function openDoor(storage: Storage, door: Door, limits: Partial<Limits>): Access {
  const bare = { tree: emptyTree(), seen: new Map<string, string>() };
  if (door === "owner") return { ...bare, storage, fs: createFileSystem(storage, { limits }), tools: new Map() };
  const { actor = "agent", sessionId } = identities[door];
  const session = openSession({
    storage,
    actor,
    limits,
    tools: ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete_file", ...(storage.search === undefined ? [] : (["search"] as const))],
    ...(sessionId === undefined ? {} : { sessionId }),
  });
  return { ...bare, storage: session.storage, fs: session.fs, tools: new Map(fileTools(session).map((tool) => [tool.name, tool])) };
}

async function told(run: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await run());
  } catch (error) {
    if (!isHangoError(error)) throw error;
    const { code, message, details, op, path } = error;
    return JSON.stringify({ code, message, details, op, path });
  }
}

/** The current token of each path of a call, also of one that the caller can't see: knowing it must not help. */
async function tokensFor(storage: Storage, operation: Operation): Promise<ReadonlyMap<string, string>> {
  const picks = operation.op === "apply" ? operation.mutations : "ifVersion" in operation ? [operation] : [];
  const tokens = new Map<string, string>();
  for (const { path, ifVersion } of picks) {
    if (ifVersion !== "current") continue;
    const isAgentForm = operation.op.startsWith("fs.");
    if (isAgentForm ? isBadAgentPath(path) : isBadStoragePath(path)) continue;
    const file = isAgentForm ? filePathOf(path) : path;
    if (file === "") continue;
    const entry = await storage.stat(file);
    if (entry?.kind === "file") tokens.set(path, entry.info.version);
  }
  return tokens;
}

function tokenOf(tokens: ReadonlyMap<string, string>, path: string, pick: VersionPick | undefined): string | undefined {
  if (pick === undefined || pick === "absent") return pick;
  return pick === "malformed" ? "not a version!" : (tokens.get(path) ?? "no-such-version.1");
}

/** Tokens are numbered as they come, and times are left out: both differ between any two runs. */
function normalised(text: string, versions: Map<string, string>): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\.[0-9]+/gu, (token) => {
      const known = versions.get(token) ?? `version-${versions.size + 1}`;
      versions.set(token, known);
      return known;
    })
    .replace(/"(?:createdAt|updatedAt)":"[^"]*"/gu, '"at":"then"')
    .replace(/\b1[0-9]{12}\b/gu, "then");
}
