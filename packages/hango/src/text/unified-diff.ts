/** A change set as one diff that people read and `git apply` takes. */
import { HangoError } from "../errors.ts";
import { DIFF_TIMEOUT_MS } from "../limits.ts";
import { hunksOf } from "./diff.ts";
import { decodeText } from "./utf8.ts";

/** One file of a change set: what a commit of an overlay would do. Paths are in storage form. */
export type Change =
  | { readonly kind: "create"; readonly path: string; readonly bytes: Uint8Array; readonly contentType: string }
  | { readonly kind: "modify"; readonly path: string; readonly bytes: Uint8Array; readonly contentType: string; readonly previous: Uint8Array }
  | { readonly kind: "delete"; readonly path: string; readonly previous: Uint8Array };

/** Time that all files of one diff share; those that come after are shown as one hunk each. */
const TOTAL_TIMEOUT_MS: number = 4 * DIFF_TIMEOUT_MS;

/**
 * One unified diff with git's own headers, in the order given. A binary change is one line, which `git apply` skips.
 * Limits: past MAX_DIFF_EDITS edits or DIFF_TIMEOUT_MS of a file, or TOTAL_TIMEOUT_MS of all, one hunk replaces the file's changed part.
 */
export function unifiedDiff(changes: readonly Change[], options: { readonly context?: number } = {}): string {
  const { context = 3 } = options;
  if (!Number.isSafeInteger(context) || context < 0) throw new HangoError("invalid_argument", "context must be a whole number of at least 0.");
  const deadline = Date.now() + TOTAL_TIMEOUT_MS;
  let diff = "";
  let isOpen = false;
  for (const change of changes) {
    const { text, endsInHeader, isBinary } = diffOf(change, context, deadline);
    // Right below a header without hunks, git would take the line for that file's own content.
    if (isBinary && isOpen) diff += "\n";
    diff += text;
    if (text !== "") isOpen = endsInHeader;
  }
  return diff;
}

interface FileDiff {
  readonly text: string;
  readonly endsInHeader: boolean;
  readonly isBinary: boolean;
}

function diffOf(change: Change, context: number, deadline: number): FileDiff {
  const before = change.kind === "create" ? undefined : change.previous;
  const after = change.kind === "delete" ? undefined : change.bytes;
  const [old, next] = [quoteName(`a/${change.path}`), quoteName(`b/${change.path}`)];
  const from = before === undefined ? "/dev/null" : old;
  const to = after === undefined ? "/dev/null" : next;
  const [oldText, newText] = [textOf(before), textOf(after)];
  if (oldText === undefined || newText === undefined) return { text: `Binary files ${from} and ${to} differ\n`, endsInHeader: false, isBinary: true };
  if (change.kind === "modify" && oldText === newText) return { text: "", endsInHeader: false, isBinary: false };
  const mode = change.kind === "modify" ? "" : `${change.kind === "create" ? "new" : "deleted"} file mode 100644\n`;
  const head = `diff --git ${old} ${next}\n${mode}`;
  if (oldText === newText) return { text: head, endsInHeader: true, isBinary: false };
  const hunks = hunksOf(oldText, newText, { context, timeoutMs: Math.min(DIFF_TIMEOUT_MS, deadline - Date.now()) });
  return { text: `${head}--- ${from}${tabAfter(from)}\n+++ ${to}${tabAfter(to)}\n${hunks.join("")}`, endsInHeader: false, isBinary: false };
}

/** "" for a file that is not there; undefined for binary content. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? "" : decodeText(bytes);
}

/** A name with spaces ends at a tab, as git writes it: some patchers take a space for its end. */
function tabAfter(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? "\t" : "";
}

/** As git quotes a name; also one with a space at the end of a segment, which git can't read plain. Characters beyond ASCII stay readable. */
function quoteName(name: string): string {
  if (!/["\\\u0000-\u001f\u007f]|\s(?:\/|$)/.test(name)) return name;
  const quoted = name.replace(/["\\\u0000-\u001f\u007f]/g, (character) =>
    character === '"' || character === "\\" ? `\\${character}` : `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${quoted}"`;
}
