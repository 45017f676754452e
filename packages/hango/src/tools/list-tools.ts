/** The tools that find files by where they are: ls, glob, search. */
import * as z from "zod/mini";
import { HangoError } from "../errors.ts";
import type { DirEntry } from "../filesystem.ts";
import { collectSkipped } from "../fs/skipped.ts";
import { toAgentPath } from "../path/path.ts";
import { partsOf } from "../session/parts.ts";
import type { Session, Tool } from "../session/vocabulary.ts";
import { optionalNumber, optionalText, text } from "./args.ts";
import { printListing, skippedNotice } from "./answer.ts";
import { defineFileTool } from "./tool.ts";

export function lsTool(session: Session): Tool {
  const { maxMatches } = partsOf(session).limits;
  return defineFileTool(session, {
    name: "ls",
    description: `Lists what stands directly in a directory, in byte order of names: directories end in a slash, files have their size.
At most ${maxMatches} entries; when there are more, continue with after.`,
    schema: z.strictObject({
      path: optionalText("Absolute path of a directory; default /."),
      after: optionalText("Only entries after this name, to continue a listing; a directory's name ends in a slash."),
      limit: optionalNumber(1, "At most this many entries."),
    }),
    run: async ({ path = "/", after, limit }, { parts, call }) => {
      const most = Math.min(limit ?? maxMatches, maxMatches);
      // One more than is shown tells whether there are more.
      const entries = await session.fs.ls(path, { ...call, limit: most + 1, ...(after === undefined ? {} : { after }) });
      const shown = entries.slice(0, most);
      return printListing(
        {
          rows: shown.map(printEntry),
          noun: "entry",
          empty: after === undefined ? "The directory is empty." : "Nothing comes after that name.",
          truncated: entries.length > most,
          narrow: (count) => `${count === 0 ? "" : `continue with after ${JSON.stringify(nameOf(shown[count - 1]))}, or `}list a directory below`,
        },
        parts,
      );
    },
  });
}

function printEntry({ path, kind, sizeBytes }: DirEntry): string {
  return kind === "directory" ? `${path}/` : `${path} (${sizeBytes ?? 0} bytes)`;
}

function nameOf(entry: DirEntry | undefined): string {
  return entry === undefined ? "" : `${entry.name}${entry.kind === "directory" ? "/" : ""}`;
}

export function globTool(session: Session): Tool {
  const { maxMatches } = partsOf(session).limits;
  return defineFileTool(session, {
    name: "glob",
    description: `Finds files by path. * matches within a name, ** across directories, ? one character, {a,b} either; every other character is literal, brackets included, and \\ escapes.
A pattern without a slash (*.md) matches the name at any depth; with one it starts at path; a leading slash anchors it there.
Answers files in byte order, at most ${maxMatches}.`,
    schema: z.strictObject({
      pattern: text("Such as *.md, src/**/*.ts or /docs/*.{md,txt}."),
      path: optionalText("Absolute path of the directory to search in; default /."),
    }),
    run: async ({ pattern, path = "/" }, { parts, call }) => {
      const { paths, truncated, skipped } = await session.fs.glob(pattern, { ...call, root: path });
      return printListing(
        {
          rows: paths,
          noun: "path",
          empty: "No file matches.",
          truncated,
          narrow: () => "use a more specific pattern, or a path",
          notices: skippedNotice(skipped, parts),
        },
        parts,
      );
    },
  });
}

/** Errors: unsupported for a session whose storage has no search. */
export function searchTool(session: Session): Tool {
  const { search } = session.storage;
  if (search === undefined) throw new HangoError("unsupported", `The storage "${session.storage.name}" has no search; use grep.`);
  const { maxMatches } = partsOf(session).limits;
  return defineFileTool(session, {
    name: "search",
    description: `Finds files by content with a query. ${search.syntax}
Answers paths in byte order, at most ${maxMatches}. For lines and exact text use grep.`,
    schema: z.strictObject({ query: text("What to search for.") }),
    run: async ({ query }, { parts, call }) => {
      const skipped = collectSkipped();
      const paths = await search.paths(query, { ...call, limit: maxMatches + 1, onSkip: skipped.onSkip });
      const rows = paths.slice(0, maxMatches).map(toAgentPath);
      return printListing(
        {
          rows,
          noun: "path",
          empty: "No file matches.",
          truncated: paths.length > maxMatches,
          narrow: () => "use a more specific query",
          notices: skippedNotice(skipped.paths(), parts),
        },
        parts,
      );
    },
  });
}
