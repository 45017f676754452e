/** Commands that go on where the demo ended, ready to be pasted into a shell. */
import { DEMO_TENANT, fromHere } from "./names.ts";

export interface Place {
  readonly store: string;
  readonly agent: string;
  /** A word that stands in the files. */
  readonly word: string;
  /** The file that the agent worked on. */
  readonly path: string;
}

export function nextCommands({ store, agent, word, path }: Place): readonly string[] {
  const where = `--db ${quoted(`pglite:${fromHere(store)}`)} --tenant ${DEMO_TENANT} --agent ${quoted(agent)}`;
  return [
    `npx hango grep -F ${quoted(word)} ${where}`,
    `npx hango cat ${quoted(path)} ${where}`,
    `npx hango export .hango/demo-copy ${where}`,
    `npx hango usage ${where}`,
  ];
}

/** One word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
