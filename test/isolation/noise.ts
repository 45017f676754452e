/** What session one must never notice: another session's machine files, other spellings of their places, other agents' files. */
import type { Mutation, Storage } from "../../packages/hango/src/storage.ts";
import { ONE, TWO } from "../model/paths.ts";

const encoder = new TextEncoder();
const text = encoder.encode("foo bar\nneedle caf\u00e9\nend\n");
const binary = Uint8Array.of(0xff, 0x66, 0x6f, 0x6f);

/** More binary files than an answer ever names as skipped. */
const BINARY_FILES = 150;

/** Paths that no session but `TWO` sees, before and after and between those of session one. */
export function hiddenPaths(count: number): readonly string[] {
  const third = Math.ceil(count / 3);
  const numbered = (make: (name: string) => string): readonly string[] => Array.from({ length: third }, (_, index) => make(String(index).padStart(5, "0")));
  return [
    ...numbered((name) => `large_tool_results/${TWO}/${name}.md`),
    ...numbered((name) => `large_tool_results/00000000-0000-4000-8000-0000000${name}/r`),
    ...numbered((name) => `conversation_history/00000000-0000-4000-8000-0000000${name}.md`),
    `large_tool_results/${ONE}x/r`,
    `large_tool_results/${ONE}.md`,
    `large_tool_results/${ONE.slice(0, -1)}/r`,
    `large_tool_results/zz`,
    `conversation_history/${TWO}.md`,
    `conversation_history/${ONE}.md.bak`,
    `conversation_history/${ONE}/r`,
    `conversation_history/deep/${ONE}.md`,
    `Large_Tool_Results/${ONE}/r`,
    `Large_Tool_Results/${TWO}/r`,
    "LARGE_TOOL_RESULTS",
    `CONVERSATION_HISTORY/${ONE}.md`,
    "Conversation_history",
  ];
}

/** Writes the noise by the owner's own hand, and fills the namespace beside it with files of the paths session one uses. */
export async function makeNoise(storage: Storage, beside: Storage, count: number): Promise<void> {
  const paths = hiddenPaths(count);
  await createAll(
    storage,
    paths.map((path, index) => [path, index < BINARY_FILES ? binary : text]),
  );
  await createAll(
    beside,
    ["a", "b/x.md", "memories/m.md", `large_tool_results/${ONE}/r`, `conversation_history/${ONE}.md`, "n/0001", "m/0001"].map((path) => [path, text]),
  );
}

export async function createAll(storage: Storage, files: readonly (readonly [string, Uint8Array])[]): Promise<void> {
  const mutations: readonly Mutation[] = files.map(([path, bytes]) => ({ kind: "create", path, bytes }));
  if (storage.apply !== undefined) await storage.apply(mutations);
  else for (const [path, bytes] of files) await storage.write(path, bytes);
}

/** A change in the noise between two calls of session one: session two's tools go on working. */
export async function stir(storage: Storage, turn: number): Promise<void> {
  const path = `large_tool_results/${TWO}/${turn % 7}`;
  if (turn % 3 === 2) await storage.delete(`large_tool_results/${TWO}/${(turn - 2) % 7}`).catch(ignoreMissing);
  else await storage.write(path, turn % 2 === 0 ? text : binary);
  await storage.write(`conversation_history/${TWO}.md`, encoder.encode(`turn ${turn}, needle\n`));
}

function ignoreMissing(error: unknown): void {
  if ((error as { readonly code?: unknown }).code !== "not_found") throw error;
}
