/** A unified diff as a person reads it: coloured, summed up, and without anything that plays with the terminal. */
import { counted, plain, styled } from "../output.ts";

export interface DiffFacts {
  readonly added: number;
  readonly removed: number;
}

interface DiffLine {
  readonly text: string;
  readonly kind: "file" | "header" | "hunk" | "added" | "removed" | "same" | "binary";
}

/** Sorts each line: a removed line such as "-- a" looks like a header only to who does not know where it stands. */
function* linesOf(diff: string): Generator<DiffLine> {
  let inHunk = false;
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const text of lines) {
    // Each line of a hunk has its sign, so what has none ends it.
    if (inHunk && !/^[ +\-\\@]/.test(text)) inHunk = false;
    if (text.startsWith("diff --git ")) yield { text, kind: "file" };
    else if (text.startsWith("@@ ")) {
      inHunk = true;
      yield { text, kind: "hunk" };
    } else if (!inHunk) yield { text, kind: text.startsWith("Binary files ") ? "binary" : "header" };
    else yield { text, kind: text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "same" };
  }
}

export function diffFacts(diff: string): DiffFacts {
  let added = 0;
  let removed = 0;
  for (const { kind } of linesOf(diff)) {
    if (kind === "added") added += 1;
    else if (kind === "removed") removed += 1;
  }
  return { added, removed };
}

const formats = { file: "bold", header: "bold", hunk: "cyan", added: "green", removed: "red", same: "reset", binary: "bold" } as const;

/** The diff for the screen; with colours only where styleText gives them. */
export function printedDiff(diff: string): string {
  let printed = "";
  // A carriage return at the end of a line shows as git shows it.
  for (const { text, kind } of linesOf(diff)) printed += `${kind === "same" ? visible(text) : styled(formats[kind], visible(text))}\n`;
  return printed;
}

function visible(text: string): string {
  return text.endsWith("\r") ? `${plain(text.slice(0, -1))}^M` : plain(text);
}

/** "3 files: 1 created, 2 modified; 12 lines added, 3 removed" */
export function summary(kinds: readonly ("create" | "modify" | "delete")[], { added, removed }: DiffFacts): string {
  const words = { create: "created", modify: "modified", delete: "deleted" } as const;
  const parts = (["create", "modify", "delete"] as const).flatMap((kind) => {
    const n = kinds.filter((one) => one === kind).length;
    return n === 0 ? [] : [`${n} ${words[kind]}`];
  });
  return `${counted(kinds.length, "file")}: ${parts.join(", ")}; +${added} −${removed} lines`;
}
