/** What a session last saw of each file, so that a stale write is a conflict and the model never has to type a version. */
import { MAX_SEEN_PATHS, MAX_SEEN_TEXT_BYTES, MAX_SEEN_TOTAL_BYTES } from "../limits.ts";
import type { Version } from "../storage.ts";
import { utf8Length } from "../text/utf8.ts";
import type { SeenStore } from "./vocabulary.ts";

/** Remembers the last 10,000 paths, in memory. */
export function memorySeen(): SeenStore {
  const versions = new Map<string, Version>();
  return {
    get: async (path) => versions.get(path),
    set: async (path, version) => {
      // Deleting first moves the path to the end: the oldest is the first to go.
      versions.delete(path);
      versions.set(path, version);
      if (versions.size > MAX_SEEN_PATHS) versions.delete(versions.keys().next().value as string);
    },
    delete: async (path) => {
      versions.delete(path);
    },
  };
}

/** The text of files that were shown whole, kept so that a conflict can say what changed. Limits: 64 KiB a file, 1 MiB in all; the oldest goes first. */
export interface SeenTexts {
  /** The text as shown at that version. */
  readonly get: (path: string, version: Version) => string | undefined;
  /** A text that is too large forgets the path. */
  readonly set: (path: string, version: Version, text: string) => void;
  readonly delete: (path: string) => void;
}

export function seenTexts(): SeenTexts {
  const kept = new Map<string, { readonly version: Version; readonly text: string; readonly sizeBytes: number }>();
  let total = 0;
  const remove = (path: string): void => {
    total -= kept.get(path)?.sizeBytes ?? 0;
    kept.delete(path);
  };
  return {
    get: (path, version) => {
      const entry = kept.get(path);
      return entry?.version === version ? entry.text : undefined;
    },
    set: (path, version, text) => {
      remove(path);
      const sizeBytes = utf8Length(text);
      if (sizeBytes > MAX_SEEN_TEXT_BYTES) return;
      kept.set(path, { version, text, sizeBytes });
      total += sizeBytes;
      for (const oldest of kept.keys()) {
        if (total <= MAX_SEEN_TOTAL_BYTES) break;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
