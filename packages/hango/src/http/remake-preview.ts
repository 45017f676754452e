/**
 * A preview of a stored tool result, made again from the file. Its lines are those that the model saw; the words around them may differ:
 * tokens are estimated by the default rule, the tools named are always read_file and grep, and a cut is known by this server's own limit.
 */
import { notFound, shownPath } from "../errors.ts";
import { PREVIEW_LINES } from "../limits.ts";
import { notText } from "../contract/refusals.ts";
import { placeOf } from "../path/reserved.ts";
import { heuristicEstimator } from "../session/estimator.ts";
import { printPreview } from "../session/preview.ts";
import type { Session } from "../session/vocabulary.ts";
import type { FilePath } from "../storage.ts";
import { countLines } from "../text/lines.ts";
import { decodeText } from "../text/utf8.ts";
import type { AgentCall, Door } from "./door.ts";

/** What the offload puts where the middle of a result was. */
const CUT_MARK = /\n\[([0-9]+) bytes left out\]\n/;

export interface RemadePreview {
  readonly path: string;
  readonly text: string;
  /** Lines of the file that the preview holds, from and to, both included. */
  readonly shown: readonly { readonly from: number; readonly to: number }[];
  readonly totalLines: number;
  /** The tool whose result it was, where the record still has it. */
  readonly tool?: string;
  /** True when the middle of the result was too much to store. */
  readonly cut: boolean;
}

/** Errors: not_found for what is no stored result or not this session's. */
export async function remakePreview(door: Door, call: AgentCall, file: { readonly session: Session; readonly path: FilePath }): Promise<RemadePreview> {
  const { session, path } = file;
  const place = placeOf(path);
  if (place.kind !== "machine" || place.name !== "large_tool_results") throw notFound(path);
  const { info, bytes } = await session.storage.read(path, { signal: call.request.signal });
  const text = decodeText(bytes);
  if (text === undefined) throw notText(path);
  const tool = await toolOf(door, call, path);
  const totalLines = countLines(text);
  const left = info.sizeBytes >= door.limits.maxOffloadBytes / 2 ? CUT_MARK.exec(text)?.[1] : undefined;
  return {
    path: shownPath(path),
    text: printPreview(text, {
      toolName: tool ?? "the tool",
      path: shownPath(path),
      sizeBytes: info.sizeBytes + Number(left ?? 0),
      totalLines,
      tokens: heuristicEstimator.estimate(text),
      cut: left !== undefined,
      tools: ["read_file", "grep"],
    }),
    shown: shownLines(totalLines),
    totalLines,
    ...(tool === undefined ? {} : { tool }),
    cut: left !== undefined,
  };
}

function shownLines(total: number): RemadePreview["shown"] {
  if (total <= 2 * PREVIEW_LINES) return total === 0 ? [] : [{ from: 1, to: total }];
  return [
    { from: 1, to: PREVIEW_LINES },
    { from: total - PREVIEW_LINES + 1, to: total },
  ];
}

async function toolOf(door: Door, { agent, request }: AgentCall, path: FilePath): Promise<string | undefined> {
  const rows = await door.audit?.list(agent.tenantId, { agentId: agent.id, path: shownPath(path), outcome: "ok", limit: 1, signal: request.signal });
  return rows?.[0]?.tool;
}
