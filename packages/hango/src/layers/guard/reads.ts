/** What one actor may read: what is shown to it, what a rule denies, and what a person is asked about. */
import { notAFile } from "../../contract/refusals.ts";
import { HangoError, isHangoError, notFound, shownPath } from "../../errors.ts";
import { isShown } from "../../path/filter.ts";
import { ownPaths, placeOf } from "../../path/reserved.ts";
import type { CallOptions, Entry, FilePath, ListOptions, PathFilter } from "../../storage.ts";
import { visibility, type Who } from "./actors.ts";
import { isApproved } from "./approval.ts";
import type { Permissions, Policy } from "./policy.ts";

export interface ReadRules {
  readonly who: Who;
  readonly permissions: Permissions;
  readonly approve: Policy["approve"];
  /** What stands at a path, as this actor sees it. */
  readonly statListed: (path: FilePath, options: CallOptions) => Promise<Entry | undefined>;
}

export interface Reads {
  /** What a listing shows. */
  readonly listed: readonly PathFilter[];
  /** What a search through content shows. */
  readonly searched: readonly PathFilter[];
  readonly readMode: (path: FilePath) => "allow" | "deny" | "ask";
  /** Errors: forbidden for a path that is shown and may not be read. */
  readonly refuseDenied: (path: FilePath) => void;
  /** Runs a read of one file that this actor may read. Errors: not_found, not_a_file, forbidden. */
  readonly reading: <T>(path: FilePath, options: CallOptions, run: () => Promise<T>) => Promise<T>;
  /** Searches through content leave out what a person would have to approve, and say so. */
  readonly tellAsked: (root: string, onSkip: ListOptions["onSkip"]) => void;
}

export function createReads({ who, permissions, approve, statListed }: ReadRules): Reads {
  // The session's own results stay readable under any rule: its tools wrote them, and the previews name them.
  const own = ownPaths(who.sessionId);
  const visible = visibility(who);

  const readMode = (path: FilePath): "allow" | "deny" | "ask" => (placeOf(path).kind === "machine" ? "allow" : permissions.mode("read", path));

  /** Why there is no file to read: hidden is missing, byte for byte, and a name that is a directory for this session answers as a directory does. */
  async function noFile(path: FilePath, options: CallOptions): Promise<HangoError> {
    const entry = await statListed(path, options);
    return entry?.kind === "directory" ? notAFile(path) : notFound(path);
  }

  async function mayRead(path: FilePath, options: CallOptions): Promise<void> {
    if (!isShown(path, [visible])) throw await noFile(path, options);
    const mode = readMode(path);
    if (mode === "deny") deny(path, "a rule of this session denies it.");
    if (mode === "allow") return;
    if (approve === undefined) deny(path, "it needs a person's approval, and this session has no one to ask.");
    const approved = await isApproved(approve, { operation: "read", path: shownPath(path), diff: "" }, options.signal);
    if (!approved) deny(path, "a person's approval was asked for and not given.");
  }

  return {
    listed: [visible, ...permissions.listing(own)],
    searched: [visible, ...permissions.content(own)],
    readMode,
    refuseDenied: (path) => {
      if (isShown(path, [visible]) && readMode(path) === "deny") deny(path, "a rule of this session denies it.");
    },
    reading: async (path, options, run) => {
      await mayRead(path, options);
      try {
        return await run();
      } catch (error) {
        // The storage below also counts files that this session does not see.
        throw isHangoError(error, "not_a_file") ? await noFile(path, options) : error;
      }
    },
    tellAsked: (root, onSkip) => {
      for (const entry of permissions.askedReads) {
        const inside = entry === "/" || (entry.endsWith("/") && root.startsWith(entry));
        onSkip?.(inside ? root : entry.replace(/\/$/, ""), "reading it needs a person's approval");
      }
    },
  };
}

function deny(path: FilePath, why: string): never {
  throw new HangoError("forbidden", `${shownPath(path)} can't be read: ${why}`, { path: shownPath(path), op: "read" });
}
