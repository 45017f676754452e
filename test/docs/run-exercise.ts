/** Runs an exercise in this process and gives what it prints. */
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { vi } from "vitest";

export async function runExercise(path: string): Promise<string> {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ pathToFileURL(resolve(import.meta.dirname, "../..", path)).href);
    return log.mock.calls.map(([text]) => `${String(text)}\n`).join("");
  } finally {
    log.mockRestore();
  }
}

/** What a page says that each exercise prints, by the exercise's path. */
export function outputsOf(page: string): ReadonlyMap<string, string> {
  const blocks = page.matchAll(/<!-- output: (\S+) -->\n```text\n([\s\S]*?)```/g);
  return new Map([...blocks].map(([, path = "", output = ""]) => [path, output]));
}
