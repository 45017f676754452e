/** The words that sessions, tools and adapters share. Types only. */
import type { ErrorCode } from "../errors.ts";
import type { FileSystem } from "../filesystem.ts";
import type { Storage, Version } from "../storage.ts";

export type ToolName = "ls" | "read_file" | "write_file" | "edit_file" | "glob" | "grep" | "delete_file" | "search";

export type Part = { readonly type: "text"; readonly text: string } | { readonly type: string; readonly [key: string]: unknown };

export interface ToolResult {
  readonly isError: boolean;
  readonly forModel: string | readonly Part[];
  readonly forUser?: string;
  /** When isError. */
  readonly code?: ErrorCode;
  /** Of an offloaded result: `offload: { path, tokensBefore, tokensAfter, saved }`. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly toolCallId: string;
  /** Names the step that the call belongs to; without one, a batch is the calls in flight together. */
  readonly batchId?: string;
  readonly signal?: AbortSignal;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** A zod schema (Standard Schema). */
  readonly inputSchema: unknown;
  /** Never throws, but for an abort: an error is a result. */
  readonly execute: (args: unknown, call: ToolCall) => Promise<ToolResult>;
}

/** What a session last saw of each path. Paths are in agent form. */
export interface SeenStore {
  get(path: string): Promise<Version | undefined>;
  set(path: string, version: Version): Promise<void>;
  delete(path: string): Promise<void>;
}

export interface RequestShape {
  readonly system?: readonly string[];
  readonly messages: readonly unknown[];
  readonly tools?: readonly unknown[];
  readonly injected?: readonly string[];
}

/** Units: tokens. */
export interface Estimator {
  estimate(text: string): number;
  estimateRequest(request: RequestShape): number;
}

export interface Session {
  /** An operator may have none. */
  readonly sessionId?: string;
  readonly fs: FileSystem;
  /** Guarded. */
  readonly storage: Storage;
  /** A few lines for the system prompt: the root, the reserved prefixes, where large results go. */
  readonly prompt: string;
  readonly offload: (
    result: ToolResult,
    call: { readonly toolCallId: string; readonly toolName: string; readonly signal?: AbortSignal },
  ) => Promise<ToolResult>;
}
