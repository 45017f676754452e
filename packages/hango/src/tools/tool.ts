/** One file tool: arguments parsed, the path claimed, the answer bounded, every error a result. */
import type * as z from "zod/mini";
import { errorTable, HangoError, isHangoError } from "../errors.ts";
import { parseAgentPath } from "../path/path.ts";
import type { CallOptions } from "../storage.ts";
import { partsOf, type SessionParts } from "../session/parts.ts";
import { safeId } from "../session/safe-text.ts";
import type { Session, Tool, ToolCall, ToolName, ToolResult } from "../session/vocabulary.ts";
import { parseArgs } from "./args.ts";
import { createBatchGuard, type BatchGuard, type Claim } from "./batch-guard.ts";
import { clipToTokens } from "./budget.ts";

/** Marks the file tools, which bound their own output. A `Symbol.for` property that survives a spread: never a name. */
export const fileToolMark: unique symbol = Symbol.for("hango.fileTool") as never;

export function isFileTool(tool: object): boolean {
  return (tool as { readonly [fileToolMark]?: unknown })[fileToolMark] === true;
}

/** What a tool's code gets. */
export interface ToolContext {
  readonly session: Session;
  readonly parts: SessionParts;
  /** Signal and origin, for every call on the files. */
  readonly call: CallOptions;
}

export interface Answer {
  readonly text: string;
  /** Facts for the application; the model does not see them. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface FileToolSpec<S extends z.ZodMiniType> {
  readonly name: ToolName;
  readonly description: string;
  readonly schema: S;
  /** The path that the call changes, when it changes one. */
  readonly changes?: (args: z.output<S>) => string;
  readonly run: (args: z.output<S>, context: ToolContext) => Promise<Answer>;
}

const guards = new WeakMap<SessionParts, BatchGuard>();

function batchGuardOf(parts: SessionParts): BatchGuard {
  const guard = guards.get(parts) ?? createBatchGuard();
  guards.set(parts, guard);
  return guard;
}

/** Makes a Tool of a spec. It never throws, but for an abort. */
export function defineFileTool<S extends z.ZodMiniType>(session: Session, spec: FileToolSpec<S>): Tool {
  const parts = partsOf(session);
  const { name, description, schema, changes, run } = spec;

  async function execute(given: unknown, call: ToolCall): Promise<ToolResult> {
    // From code without types a call may be missing; that is an answer like any other.
    const signal = (call as ToolCall | undefined)?.signal;
    let claim: Claim | undefined;
    try {
      checkToolCall(call);
      signal?.throwIfAborted();
      const args = parseArgs(name, schema, given);
      // Nothing was awaited before this line: calls of one batch claim in call order.
      if (changes !== undefined) claim = batchGuardOf(parts).claim(parseAgentPath(changes(args), { maxDepth: parts.limits.maxPathDepth }), call.batchId);
      await claim?.turn(signal);
      const { text, details } = await run(args, { session, parts, call: callOptions(name, call) });
      claim?.settle("done");
      return { isError: false, forModel: clipToTokens(text, parts), details };
    } catch (error) {
      claim?.settle("failed");
      // An abort is the caller's own doing, and so is the reason.
      signal?.throwIfAborted();
      return errorResult(error, parts);
    }
  }

  return Object.freeze({ name, description, inputSchema: schema, execute, [fileToolMark]: true });
}

/** Errors: invalid_argument. */
function checkToolCall(call: ToolCall | undefined): void {
  if (typeof call?.toolCallId !== "string") throw new HangoError("invalid_argument", "toolCallId must be a string.");
}

function callOptions(tool: ToolName, { signal, toolCallId }: ToolCall): CallOptions {
  // The guard replaces the actor by the session's own.
  return { ...(signal === undefined ? {} : { signal }), origin: { actor: "agent", tool, toolCallId: safeId(toolCallId) } };
}

/** An error as the model reads it: the code, what happened, what to do next. Foreign text never shows. */
export function errorResult(error: unknown, parts: SessionParts): ToolResult {
  const known = isHangoError(error)
    ? error
    : new HangoError("internal", "The file tool failed; this is a fault of the system, not of the call.", { cause: error });
  const { code, message, path, details } = known;
  const hint = hintFor(known, parts);
  const text = `Error (${code}): ${message}${hint === "" ? "" : ` ${hint}`}`;
  return { isError: true, code, forModel: clipToTokens(text, parts), details: { ...details, ...(path === undefined ? {} : { path }) } };
}

/** Codes whose messages always say what to do next. */
const explained: ReadonlySet<HangoError["code"]> = new Set([
  "invalid_path",
  "invalid_content",
  "already_exists",
  "not_a_file",
  "not_text",
  "conflict",
  "ambiguous_match",
  "duplicate_mutation",
]);

/** "" when the message says it already, or another thing: what has an unknown outcome must be read before a retry. A hint that names a tool which the session has not would send the model astray. */
function hintFor({ code, message }: HangoError, { tools }: SessionParts): string {
  const { hint, retryable } = errorTable[code];
  if (explained.has(code) || message.includes(hint) || (retryable && /\bretry\b/i.test(message))) return "";
  const names = hint.match(/\b(?:ls|glob|grep|search)\b/g) ?? [];
  return names.every((name) => tools.includes(name as ToolName)) ? hint : "";
}
