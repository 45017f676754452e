/** What each tool must say: the rows word for word, of the notices only the facts. */
import { codePoints, linesOf } from "./contents.ts";
import { type Expectation, isRefusal, refusal } from "./expectation.ts";
import { filesModel, type Found, globbed, grepOf, LIMITS, lsOf, readModel, type Window } from "./model-files.ts";
import type { Asked } from "./model-storage.ts";
import { searchModel } from "./model-search.ts";
import type { Operation, ToolOperation } from "./operation.ts";
import { filePathOf, isBadAgentPath } from "./paths.ts";
import { viewOf } from "./rules.ts";
import { isInside } from "./tree.ts";

/** What the session of a door has seen: agent path to token. */
export type Seen = Map<string, string>;

/** How what was seen changes: `false` is forgotten, `true` is the token the call leaves. */
export interface ToolExpectation extends Expectation {
  readonly seen?: readonly (readonly [string, string | boolean])[];
}

const plural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

export function toolModel(asked: Asked, operation: ToolOperation, seen: Seen): ToolExpectation {
  const view = viewOf(asked.tree, asked.door);
  switch (operation.op) {
    case "tool.ls": {
      const { path = "/", after, limit } = operation;
      if (limit !== undefined && limit < 1) return refusal("invalid_argument");
      const most = Math.min(limit ?? LIMITS.maxMatches, LIMITS.maxMatches);
      const listed = lsOf(view, { op: "fs.ls", path, limit: most + 1, ...(after === undefined ? {} : { after }) });
      if (isRefusal(listed)) return listed;
      const entries = listed.answer as readonly (readonly [string, string, number?])[];
      const rows = entries.slice(0, most).map(([, full, size]) => (size === undefined ? `${full}/` : `${full} (${size} bytes)`));
      const [name = "", , size] = entries[most - 1] ?? [];
      const next = JSON.stringify(size === undefined ? `${name}/` : name);
      const cut = entries.length > most ? [`(truncated after ${plural(rows.length, "entry", "entries")}, on from ${next})`] : [];
      const none = after === undefined ? "The directory is empty." : "Nothing comes after that name.";
      return { answer: [...(rows.length === 0 ? [none] : rows), ...cut].join("\n") };
    }
    case "tool.glob": {
      const found = globbed(view, { op: "fs.glob", pattern: operation.pattern, ...(operation.path === undefined ? {} : { root: operation.path }) });
      if (isRefusal(found)) return found;
      const { paths, truncated } = found.answer as { readonly paths: readonly string[]; readonly truncated: boolean };
      return { answer: listing(paths, { empty: "No file matches.", cut: truncated && plural(paths.length, "path") }) };
    }
    case "tool.search": {
      if (operation.query === "") return refusal("invalid_argument");
      const paths = searchModel(view, operation.query).map((path) => `/${path}`);
      const shown = paths.slice(0, LIMITS.maxMatches);
      return { answer: listing(shown, { empty: "No file matches.", cut: paths.length > shown.length && plural(shown.length, "path") }) };
    }
    case "tool.grep": {
      const { mode = "content", context, maxCount, ...rest } = operation;
      if ((context ?? 0) < 0 || (maxCount ?? 1) < 1) return refusal("invalid_argument");
      const most = Math.min(maxCount ?? LIMITS.maxMatches, LIMITS.maxMatches);
      const found = grepOf(view, { ...rest, maxCount: most, ...(mode === "content" && context !== undefined ? { context } : {}) });
      return isRefusal(found) ? found : { answer: printGrep(found, mode, mode === "content" ? (context ?? 0) : 0) };
    }
    case "tool.read_file": {
      const { path } = operation;
      const window = readModel(view, operation);
      const name = `/${filePathOf(path)}`;
      if (isRefusal(window))
        return window.refused?.some((code) => code === "not_found" || code === "not_text") === true ? { ...window, seen: [[name, false]] } : window;
      return { answer: printWindow(window, operation.column ?? 1), seen: [[name, window.version]] };
    }
    case "tool.write_file":
    case "tool.edit_file":
      return changes(asked, operation, seen);
    case "tool.delete_file":
      return deletes(asked, operation, seen);
  }
}

function listing(rows: readonly string[], { empty, cut }: { readonly empty: string; readonly cut: string | false }): string {
  return [...(rows.length === 0 ? [empty] : rows), ...(cut === false ? [] : [`(truncated after ${cut})`])].join("\n");
}

function printWindow({ path, lines, totalLines }: Window, column: number): string {
  if (lines.length === 0) return `${path} is empty (0 lines).`;
  const rows = lines.map(({ number, text, clipped }, index) => {
    const next = (index === 0 ? column : 1) + codePoints(text).length;
    return `${String(number).padStart(6)}\t${text}${clipped ? ` [clipped; column ${next} continues line ${number}]` : ""}`;
  });
  const [from = 0, to = 0] = [lines[0]?.number, lines.at(-1)?.number];
  const more = to < totalLines ? `; continue with offset ${to + 1}` : "";
  return [...rows, `(lines ${from}-${to} of ${totalLines}${more})`].join("\n");
}

const isWindow = (text: string): boolean => codePoints(text).length >= 500;

function printGrep({ matches, truncated, skipped }: Found, mode: "content" | "files_with_matches" | "count", context: number): string {
  const skip =
    skipped.length === 0 ? [] : [`(not searched: ${skipped.slice(0, 10).join(", ")}${skipped.length > 10 ? ` and ${skipped.length - 10} more` : ""})`];
  const rows = mode === "content" ? contentRows(matches, context) : countRows(matches, mode, truncated);
  const noun =
    mode !== "content" ? plural(rows.length, "path") : context > 0 && rows.length > 0 ? plural(rows.length, "line") : plural(rows.length, "match", "matches");
  const cut = truncated ? [`(truncated after ${noun})`] : [];
  const long = mode === "content" && matches.some(({ text }) => isWindow(text)) ? ["(long lines are shown in part)"] : [];
  return [...(rows.length === 0 ? ["No line matches."] : rows), ...cut, ...long, ...skip].join("\n");
}

function countRows(matches: Found["matches"], mode: "files_with_matches" | "count", truncated: boolean): readonly string[] {
  const counts = new Map<string, number>();
  for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
  const last = matches.at(-1)?.path;
  return [...counts].map(([path, count]) =>
    mode === "count" ? `${path}: ${truncated && path === last ? "at least " : ""}${plural(count, "match", "matches")}` : path,
  );
}

/** Every line within `context` of a match, once; "--" between lines that are not neighbours. */
function contentRows(matches: Found["matches"], context: number): readonly string[] {
  const marked = (text: string, column: number): string => (isWindow(text) ? ` [match at column ${column}]` : "");
  if (context === 0) return matches.map(({ path, line, column, text }) => `${path}:${line}: ${text}${marked(text, column)}`);
  const files = new Map(matches.map(({ path }) => [path, new Map<number, string>()]));
  const put = (path: string, line: number, row: string): void => void files.get(path)?.set(line, row);
  for (const { path, line, before = [], after = [] } of matches) {
    for (const [index, text] of before.entries()) put(path, line - before.length + index, `${path}-${line - before.length + index}- ${text}`);
    for (const [index, text] of after.entries()) put(path, line + 1 + index, `${path}-${line + 1 + index}- ${text}`);
  }
  for (const { path, line, column, text } of matches) put(path, line, `${path}:${line}: ${text}${marked(text, column)}`);
  const rows: string[] = [];
  for (const lines of files.values()) {
    let previous = -1;
    for (const line of [...lines.keys()].sort((left, right) => left - right)) {
      if (rows.length > 0 && line !== previous + 1) rows.push("--");
      rows.push(lines.get(line) as string);
      previous = line;
    }
  }
  return rows;
}

// ── changes go against what the session saw ──────────────────────────────────────────────────────────

/** A file that was seen and is gone, or changed, is a conflict. */
function overSeen(expected: Expectation, known: string | undefined): Expectation {
  if (known === undefined || expected.refused === undefined) return expected;
  const refused = expected.refused.map((code) => (code === "not_found" ? "conflict" : code));
  return { ...refusal(refused), ...(expected.noted === undefined ? {} : { noted: expected.noted }) };
}

function changes(asked: Asked, operation: Extract<ToolOperation, { readonly op: "tool.write_file" | "tool.edit_file" }>, seen: Seen): ToolExpectation {
  if (isBadAgentPath(operation.path)) return refusal("invalid_path");
  const name = `/${filePathOf(operation.path)}`;
  const known = seen.get(name);
  const withVersion: Asked = { ...asked, version: () => known ?? (operation.op === "tool.write_file" ? "absent" : undefined) };
  const ask: Operation =
    operation.op === "tool.write_file"
      ? { door: asked.door, op: "fs.write", path: name, text: operation.content, ifVersion: "current" }
      : {
          door: asked.door,
          op: "fs.edit",
          path: name,
          oldText: operation.oldText,
          newText: operation.newText,
          replaceAll: operation.replaceAll === true,
          ifVersion: "current",
        };
  const expected = overSeen(filesModel(withVersion, ask), known);
  if (expected.refused !== undefined) return expected;
  if (operation.op === "tool.edit_file") {
    const [, replacements, size] = expected.answer as readonly [string, number, number];
    return { ...expected, answer: `Replaced ${plural(replacements, "occurrence")} in ${name}, now ${size} bytes.`, seen: [[name, true]] };
  }
  const size = expected.effects?.[0]?.bytes?.length ?? 0;
  return { ...expected, answer: `Wrote ${name}: ${size} bytes, ${plural(linesOf(operation.content).length, "line")}.`, seen: [[name, true]] };
}

function deletes(asked: Asked, operation: Extract<ToolOperation, { readonly op: "tool.delete_file" }>, seen: Seen): ToolExpectation {
  const { path, recursive = false } = operation;
  if (isBadAgentPath(path)) return refusal("invalid_path");
  const file = filePathOf(path);
  const name = `/${file}`;
  const known = seen.get(name);
  const view = viewOf(asked.tree, asked.door);
  const below = recursive ? view.filter((held) => isInside(held.path, file) && held.path !== file) : [];
  const stale = below.filter((held) => seen.has(`/${held.path}`) && seen.get(`/${held.path}`) !== held.info.version).map((held) => `/${held.path}`);
  const single = below.length === 0 && known !== undefined;
  const model = filesModel({ ...asked, version: () => known }, { op: "fs.delete", path: name, recursive, ...(single ? { ifVersion: "current" } : {}) });
  const expected = overSeen(model, known);
  // What can never go is said before what changed, since reading again would not help.
  if (stale.length > 0 && expected.refused?.includes("forbidden") !== true) return refusal("conflict", { paths: stale });
  if (expected.refused !== undefined) return expected;
  const isFile = name !== "/" && below.length === 0;
  const answer = isFile ? `Deleted ${name}.` : `Deleted ${name} with ${plural(below.length, "file")} below it.`;
  return { ...expected, answer, seen: [name, ...below.map((held) => `/${held.path}`)].map((gone) => [gone, false] as const) };
}

/** An answer with its notices reduced to what they state. */
export function factsOf(said: string): string {
  return said
    .split("\n")
    .map((line) =>
      line
        .replace(/^\((truncated after [^:]*): continue with after ("(?:[^"\\]|\\.)*").*\)$/u, "($1, on from $2)")
        .replace(/^\((truncated after [^:]*):.*\)$/u, "($1)")
        .replace(/^\((long lines are shown in part);.*\)$/u, "($1)")
        .replace(/^\((not searched), because binary or not readable: (.*)\)$/u, "($1: $2)"),
    )
    .join("\n");
}
