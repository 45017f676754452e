/** The tools that change files: each goes against the version this session last saw, so nothing is overwritten unseen. */
import * as z from "zod/mini";
import { HangoError, isHangoError } from "../errors.ts";
import type { Session, Tool } from "../session/vocabulary.ts";
import { LIST_PAGE, MAX_MUTATIONS } from "../limits.ts";
import { isBelow, toAgentPath, toFilePath } from "../path/path.ts";
import type { CallOptions } from "../storage.ts";
import { countLines } from "../text/lines.ts";
import { plural } from "./answer.ts";
import { ABSOLUTE_PATH, optionalFlag, text } from "./args.ts";
import { agentPath, forget, overSeen, remember, textAfterEdit, textAsShown } from "./seen-rules.ts";
import { defineFileTool } from "./tool.ts";

const PLACES = "/memories/ and /skills/ are reserved, /large_tool_results/ and /conversation_history/ are the system's. One change a path in one step.";

export function writeFileTool(session: Session): Tool {
  return defineFileTool(session, {
    name: "write_file",
    description: `Writes a whole text file, creating the directories above it.
An existing file is replaced only when you have read it and it has not changed since: read it first. For a small change use edit_file.
${PLACES}`,
    schema: z.strictObject({ path: text(ABSOLUTE_PATH), content: text("The whole content of the file.") }),
    changes: ({ path }) => path,
    run: async ({ path, content }, context) => {
      const file = agentPath(path, context);
      const { sizeBytes, version } = await overSeen(file, context, async (seen) => {
        try {
          return await session.fs.write(file, content, { ...context.call, ifVersion: seen ?? "absent" });
        } catch (error) {
          if (!isHangoError(error, "already_exists")) throw error;
          throw new HangoError("already_exists", `${file} exists; read it first, then write it.`, { path: file, details: { ...error.details }, cause: error });
        }
      });
      if (version !== undefined) await remember(file, { version, text: textAsShown(content) }, context);
      const lines = countLines(content);
      return { text: `Wrote ${file}: ${sizeBytes ?? 0} bytes, ${plural(lines, "line")}.`, details: { path: file, sizeBytes } };
    },
  });
}

export function editFileTool(session: Session): Tool {
  return defineFileTool(session, {
    name: "edit_file",
    description: `Replaces exact text in a file. old_string must occur exactly once, whitespace and all, unless replace_all is set; copy it from read_file without the line numbers. new_string is taken literally.
An edit of a file that changed since you read it is refused: read it again. The answer has the count and a short diff.
${PLACES}`,
    schema: z.strictObject({
      path: text(ABSOLUTE_PATH),
      old_string: text("The exact text to replace."),
      new_string: text("The text to put there; empty deletes."),
      replace_all: optionalFlag("Replace every occurrence. Default false."),
    }),
    changes: ({ path }) => path,
    run: async ({ path, old_string: oldText, new_string: newText, replace_all: replaceAll = false }, context) => {
      const file = agentPath(path, context);
      const { seen, result } = await overSeen(file, context, async (version) => {
        const change = { ...context.call, replaceAll, ...(version === undefined ? {} : { ifVersion: version }) };
        return { seen: version, result: await session.fs.edit(file, oldText, newText, change) };
      });
      const { replacements, sizeBytes, version, diff } = result;
      const known = textAfterEdit(file, { seen, oldText, newText, replaceAll }, context);
      await remember(file, { version, ...(known === undefined ? {} : { text: known }) }, context);
      return {
        text: `Replaced ${plural(replacements, "occurrence")} in ${file}, now ${sizeBytes} bytes.\n${diff}`.trimEnd(),
        details: { path: file, replacements, sizeBytes, diff },
      };
    },
  });
}

export function deleteFileTool(session: Session): Tool {
  return defineFileTool(session, {
    name: "delete_file",
    description: `Deletes a file; with recursive, a directory and everything below it.
A file that changed since you read it is not deleted: read it again. Deleting can't be undone.
${PLACES}`,
    schema: z.strictObject({ path: text(ABSOLUTE_PATH), recursive: optionalFlag("Delete a directory with everything below it. Default false.") }),
    changes: ({ path }) => path,
    run: async ({ path, recursive = false }, context) => {
      const file = agentPath(path, context);
      const below = recursive ? await pathsBelow(file, session, context.call) : [];
      await overSeen(file, context, (seen) => {
        const isFile = !recursive || below.length === 0;
        return session.fs.delete(file, { ...context.call, recursive: !isFile, ...(isFile && seen !== undefined ? { ifVersion: seen } : {}) });
      });
      for (const gone of [file, ...below]) await forget(gone, context);
      const text = below.length === 0 ? `Deleted ${file}.` : `Deleted ${file} with ${plural(below.length, "file")} below it.`;
      return { text, details: { path: file, files: Math.max(1, below.length) } };
    },
  });
}

/** The files below a directory, to be forgotten once they are gone. Limits: as many as one delete takes. */
async function pathsBelow(directory: string, session: Session, call: CallOptions): Promise<readonly string[]> {
  const prefix = toFilePath(directory);
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await session.storage.list({ ...call, prefix, limit: LIST_PAGE, ...(after === undefined ? {} : { after }) });
    found.push(...page.filter(({ path }) => isBelow(path, prefix)).map(({ path }) => toAgentPath(path)));
    after = page.length < LIST_PAGE ? undefined : page.at(-1)?.path;
  } while (after !== undefined && found.length <= MAX_MUTATIONS);
  return found;
}
