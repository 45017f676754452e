/** One operation of a sequence, as plain data: what is printed when a sequence fails is all that is needed to run it again. */
import type { PathFilter } from "../../packages/hango/src/storage.ts";
import type { Content } from "./contents.ts";
import type { PatternPick } from "./patterns.ts";

/**
 * Who calls. `owner` holds the storage itself and `other` that of another agent; `one` and `two` are agents' sessions of the owner's
 * namespace (`two` may write reserved paths), `operator` names session one and `visitor` none, `system` is session one's.
 */
export type Door = "owner" | "other" | "one" | "two" | "operator" | "visitor" | "system";

/** Which token a change carries: resolved when it runs, so that a shortened sequence still means something. */
export type VersionPick = "current" | "stale" | "foreign" | "absent" | "malformed";

export interface MutationPick {
  readonly kind: "create" | "modify" | "delete";
  readonly path: string;
  readonly content: Content;
  readonly contentType?: string;
  readonly ifVersion?: VersionPick;
}

interface Listing {
  readonly after?: string;
  readonly limit?: number;
  readonly filters?: readonly PathFilter[];
}

interface Window {
  readonly offset?: number;
  readonly limit?: number;
  readonly column?: number;
}

export type StorageOperation =
  | ({ readonly op: "list"; readonly prefix?: string } & Listing)
  | { readonly op: "read"; readonly path: string }
  | { readonly op: "put"; readonly path: string; readonly content: Content; readonly contentType?: string; readonly ifVersion?: VersionPick }
  | { readonly op: "remove"; readonly path: string; readonly ifVersion?: VersionPick }
  | { readonly op: "apply"; readonly mutations: readonly MutationPick[] }
  | { readonly op: "stat"; readonly path: string; readonly filters?: readonly PathFilter[] }
  | ({ readonly op: "ls"; readonly path: string } & Listing)
  | { readonly op: "lines"; readonly path: string; readonly offset: number; readonly limit: number; readonly column: number; readonly maxLineChars: number }
  | { readonly op: "glob"; readonly pattern: string; readonly path: string; readonly limit: number; readonly filters?: readonly PathFilter[] }
  | ({
      readonly op: "grep";
      readonly path: string;
      readonly include?: string;
      readonly context: number;
      readonly limit: number;
      readonly filters?: readonly PathFilter[];
    } & PatternPick)
  | ({ readonly op: "search"; readonly query: string; readonly prefix?: string } & Listing);

export type FilesOperation =
  | { readonly op: "fs.ls"; readonly path: string; readonly after?: string; readonly limit?: number }
  | { readonly op: "fs.stat"; readonly path: string }
  | ({ readonly op: "fs.read"; readonly path: string } & Window)
  | { readonly op: "fs.write"; readonly path: string; readonly text: string; readonly contentType?: string; readonly ifVersion?: VersionPick }
  | {
      readonly op: "fs.edit";
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
      readonly replaceAll?: boolean;
      readonly ifVersion?: VersionPick;
    }
  | { readonly op: "fs.delete"; readonly path: string; readonly recursive?: boolean; readonly ifVersion?: VersionPick }
  | { readonly op: "fs.glob"; readonly pattern: string; readonly root?: string; readonly maxCount?: number }
  | ({ readonly op: "fs.grep"; readonly path?: string; readonly include?: string; readonly context?: number; readonly maxCount?: number } & PatternPick);

export type ToolOperation =
  | { readonly op: "tool.ls"; readonly path?: string; readonly after?: string; readonly limit?: number }
  | ({ readonly op: "tool.read_file"; readonly path: string } & Window)
  | { readonly op: "tool.write_file"; readonly path: string; readonly content: string }
  | { readonly op: "tool.edit_file"; readonly path: string; readonly oldText: string; readonly newText: string; readonly replaceAll?: boolean }
  | { readonly op: "tool.delete_file"; readonly path: string; readonly recursive?: boolean }
  | { readonly op: "tool.glob"; readonly pattern: string; readonly path?: string }
  | ({
      readonly op: "tool.grep";
      readonly path?: string;
      readonly include?: string;
      readonly mode?: "content" | "files_with_matches" | "count";
      readonly context?: number;
      readonly maxCount?: number;
    } & PatternPick)
  | { readonly op: "tool.search"; readonly query: string };

export type Operation = { readonly door: Door } & (StorageOperation | FilesOperation | ToolOperation);
