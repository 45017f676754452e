import * as z from "zod/mini";
import type { GrepMatch, GrepResult } from "../filesystem.ts";
import { GREP_LINE_CHARS, MAX_GREP_CONTEXT } from "../limits.ts";
import { partsOf, type SessionParts } from "../session/parts.ts";
import type { Session, Tool } from "../session/vocabulary.ts";
import { codePointLength } from "../text/utf8.ts";
import { optionalChoice, optionalFlag, optionalNumber, optionalText, text } from "./args.ts";
import { plural } from "../text/plural.ts";
import { type Listing, printListing, skippedNotice } from "./answer.ts";
import { defineFileTool } from "./tool.ts";

const describe = (maxMatches: number): string => `Searches the lines of text files with a regular expression, or for exact text with literal.
The dialect is small: . [ ] ( ) | ^ $ * + ? {m,n} \\d \\w \\s \\b, all ASCII; no back-references, no look-around. A pattern matches within one line.
Answers path:line: text in byte order of paths, at most ${maxMatches} matches. A line over ${GREP_LINE_CHARS} characters is shown as a part around its match, with the column of the match.`;

const schema = z.strictObject({
  pattern: text("The regular expression, or the exact text when literal is set."),
  path: optionalText("Absolute path of a directory or a file to search in; default /."),
  include: optionalText("Only files whose path matches this glob, such as *.ts; as in the glob tool, relative to path."),
  literal: optionalFlag("Take the pattern as exact text. Default false."),
  ignore_case: optionalFlag("Default false."),
  output_mode: optionalChoice(
    ["content", "files_with_matches", "count"],
    "content shows lines (default), files_with_matches only paths, count the matches of each file.",
  ),
  context: optionalNumber(0, `Lines to show before and after each match; at most ${MAX_GREP_CONTEXT}.`),
  max_count: optionalNumber(1, "Stop after this many matches."),
});

export function grepTool(session: Session): Tool {
  return defineFileTool(session, {
    name: "grep",
    description: describe(partsOf(session).limits.maxMatches),
    schema,
    run: async (args, { parts, call }) => {
      const { maxMatches } = parts.limits;
      const { pattern, path = "/", include, literal = false, ignore_case: ignoreCase = false, output_mode: mode = "content", context = 0 } = args;
      const found = await session.fs.grep(pattern, {
        ...call,
        path,
        ...(include === undefined ? {} : { include }),
        literal,
        ignoreCase,
        // Only content shows lines around a match.
        context: mode === "content" ? context : 0,
        maxCount: Math.min(args.max_count ?? maxMatches, maxMatches),
      });
      const { rows, noun, notices = [] } = printers[mode](found, parts);
      return printListing(
        {
          rows,
          noun,
          empty: "No line matches.",
          truncated: found.truncated,
          narrow: () => "use a more specific pattern, a path or an include",
          notices: [...notices, ...skippedNotice(found.skipped, parts)],
        },
        parts,
      );
    },
  });
}

type Printed = Pick<Listing, "rows" | "noun" | "notices">;

const printers = {
  content: ({ matches }: GrepResult, parts: SessionParts): Printed => {
    const cut = matches.some(isWindow) && parts.tools.includes("read_file");
    const hasContext = matches.some(({ before, after }) => before !== undefined || after !== undefined);
    return {
      rows: hasContext ? withContext(matches) : matches.map(printMatch),
      noun: hasContext ? "line" : "match",
      notices: cut ? ["(long lines are shown in part; read_file with the line as offset and the column shows more)"] : [],
    };
  },
  files_with_matches: (found: GrepResult): Printed => ({ rows: [...countsOf(found).keys()], noun: "path" }),
  count: (found: GrepResult): Printed => {
    const counts = [...countsOf(found)];
    const last = counts.length - 1;
    // The search stopped within the last file, so its count is only a lower bound.
    const rows = counts.map(([path, count], index) => `${path}: ${found.truncated && index === last ? "at least " : ""}${plural(count, "match")}`);
    return { rows, noun: "path" };
  },
} as const;

function countsOf({ matches }: GrepResult): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

/** Matches with the lines around them, each line once; "--" stands where lines are left out. */
function withContext(matches: readonly GrepMatch[]): readonly string[] {
  const rows: string[] = [];
  let path = "";
  let shown = 0;
  for (const [index, match] of matches.entries()) {
    const { before = [], after = [], line } = match;
    const start = line - before.length;
    if (match.path !== path || start > shown + 1) {
      if (rows.length > 0) rows.push("--");
      path = match.path;
      shown = start - 1;
    }
    for (const [at, text] of before.entries()) if (start + at > shown) rows.push(printContext(path, start + at, text));
    rows.push(printMatch(match));
    shown = line;
    const next = matches[index + 1];
    const stop = next?.path === path ? next.line : Number.POSITIVE_INFINITY;
    for (const [at, text] of after.entries()) {
      if (line + 1 + at >= stop) break;
      shown = line + 1 + at;
      rows.push(printContext(path, shown, text));
    }
  }
  return rows;
}

function printMatch(match: GrepMatch): string {
  const { path, line, column, text: shown } = match;
  return `${path}:${line}: ${shown}${isWindow(match) ? ` [match at column ${column}]` : ""}`;
}

function printContext(path: string, line: number, shown: string): string {
  return `${path}-${line}- ${shown}`;
}

/** A window always has the full width; a whole line of just that width is marked as well, which is true too. */
function isWindow({ text: shown }: GrepMatch): boolean {
  return shown.length >= GREP_LINE_CHARS && codePointLength(shown) >= GREP_LINE_CHARS;
}
