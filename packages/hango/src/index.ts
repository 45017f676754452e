/** The root entry: vocabulary, the memory storage, sessions, tools, offload. It runs in a browser. */
export { HangoError, errorTable, isHangoError, notFound, type ErrorCode, type ErrorRow, type HangoErrorOptions } from "./errors.ts";
export { processLimits, type Limits } from "./limits.ts";
export type {
  Accelerators,
  CallOptions,
  DeleteOptions,
  Entry,
  Features,
  FileData,
  FileEvent,
  FileInfo,
  FilePath,
  FilterOptions,
  GlobQuery,
  GrepHit,
  GrepQuery,
  LinePage,
  LineQuery,
  ListOptions,
  LsOptions,
  Mutation,
  Namespace,
  Origin,
  PathFilter,
  ScopedStorage,
  Storage,
  StorageImplementation,
  Version,
  WriteOptions,
} from "./storage.ts";
export type { DirEntry, EditOptions, EditResult, FileSystem, GlobResult, GrepMatch, GrepOptions, GrepResult, ReadOptions, TextWindow } from "./filesystem.ts";
export { contentTypeFor, storedContentType, type ContentTypeFacts } from "./path/content-type.ts";
export { ancestorsOf, comparePaths, parseAgentPath, validatePath } from "./path/path.ts";
export { placeOf, sessionFilter, type Place } from "./path/reserved.ts";
export { uuidFor } from "./path/uuid.ts";
// What a backend of your own says, worded as every other storage words it.
export { alreadyExists, conflict, notADirectory, notAFile, notText } from "./contract/refusals.ts";
export { defineLayer, type LayerImplementation } from "./contract/define-layer.ts";
export { defineStorage } from "./contract/define-storage.ts";
export { decodeText } from "./text/utf8.ts";
// What its own glob and grep are made of: the patterns a query carries, and the filters.
export { isShown } from "./path/filter.ts";
export { matchGlob, parseGlob, type GlobPattern } from "./text/glob.ts";
export { matchLines, type LineMatch, type MatchLinesOptions } from "./text/pattern/match-lines.ts";
export { createMatchWork, type MatchWork } from "./text/pattern/work.ts";
export { parsePattern, type Pattern } from "./text/pattern/pattern.ts";
export { memoryStorage } from "./storages/memory.ts";
export { embeddedStorage, type EmbeddedFiles, type EmbeddedOptions, type FsLike } from "./storages/embedded.ts";
export { mountStorage, type Mount, type MountOptions } from "./layers/mount.ts";
export { createOverlay, type Overlay, type OverlayOptions } from "./layers/overlay.ts";
export { unifiedDiff, type Change } from "./text/unified-diff.ts";
export { readOnlyStorage } from "./layers/read-only.ts";
export { subtreeStorage } from "./layers/subtree.ts";
export { createFileSystem } from "./fs/create-file-system.ts";
export type { ApprovalRequest, Permission, Policy } from "./layers/guard.ts";
export { cappedEstimator, heuristicEstimator } from "./session/estimator.ts";
export { memorySeen } from "./session/seen.ts";
export { openSession, type SessionOptions } from "./session/session.ts";
export type { Estimator, Part, RequestShape, SeenStore, Session, Tool, ToolCall, ToolName, ToolResult } from "./session/vocabulary.ts";
export { fileTools } from "./tools/file-tools.ts";
export { withOffload } from "./tools/offload.ts";
export { createStack, type Slot, type SlotName, type Stack, type StackOptions } from "./tools/stack.ts";
