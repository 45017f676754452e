/** The tools that change files: each goes against the version this session last saw, so nothing is overwritten unseen. */
import * as z from "zod/mini";
import { isHangoError } from "../errors.ts";
import { deleteChecked, type TreeCheck } from "../fs/delete.ts";
import type { Session, Tool } from "../session/vocabulary.ts";
import { toAgentPath } from "../path/path.ts";
import { countLines } from "../text/lines.ts";
import { plural } from "../text/plural.ts";
import { ABSOLUTE_PATH, optionalFlag, text } from "./args.ts";
import { agentPath, explainUnseen, forget, overSeen, refuseStaleBelow, remember, textAfterEdit, textAsShown, type SeenBelow } from "./seen-rules.ts";
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
          throw isHangoError(error, "already_exists") ? await explainUnseen(file, error, context) : error;
        }
      });
      const notice = version === undefined ? [] : await remember(file, { version, text: textAsShown(content) }, context);
      const done = `Wrote ${file}: ${sizeBytes ?? 0} bytes, ${plural(countLines(content), "line")}.`;
      return { text: [done, ...notice].join("\n"), details: { path: file, sizeBytes } };
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
      const notice = await remember(file, { version, text: textAfterEdit(file, { seen, oldText, newText, replaceAll }, context) }, context);
      const done = `Replaced ${plural(replacements, "occurrence")} in ${file}, now ${sizeBytes} bytes.`;
      return {
        text: [done, ...notice, diff].join("\n").trimEnd(),
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
      let below: readonly SeenBelow[] = [];
      await overSeen(file, context, async (seen) => {
        const options = { ...context.call, ...(seen === undefined ? {} : { ifVersion: seen }) };
        if (!recursive) return session.fs.delete(file, options);
        const check: TreeCheck = async (files) => {
          below = files.map(({ path: inside, version }) => ({ path: toAgentPath(inside), version }));
          await refuseStaleBelow(file, below, context);
        };
        return deleteChecked(session.fs, file, { ...options, check });
      });
      const notices = new Set<string>();
      for (const gone of [file, ...below.map(({ path: inside }) => inside)]) {
        context.call.signal?.throwIfAborted();
        for (const notice of await forget(gone, context)) notices.add(notice);
      }
      const isTree = file === "/" || below.length > 0;
      const done = isTree ? `Deleted ${file} with ${plural(below.length, "file")} below it.` : `Deleted ${file}.`;
      return { text: [done, ...notices].join("\n"), details: { path: file, files: isTree ? below.length : 1 } };
    },
  });
}
