/** Runs a suite inside a test, to see what it notices. */
import { bytesOf } from "./case.ts";
import type { TestRunner } from "./conformance.ts";
import type { Storage } from "../storage.ts";

/** A test that a suite registered. */
export type Registered = readonly [name: string, body: () => Promise<void>];

/** Collects what a suite registers, to run it here. */
export function registered(bind: (runner: TestRunner) => void): readonly Registered[] {
  const tests: Registered[] = [];
  bind({ describe: (_, body) => body(), it: (name, body) => void tests.push([name, body]) });
  return tests;
}

/** Runs tests, all but the slow one, and answers name and message of each that fails. */
export async function failuresOf(tests: readonly Registered[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const [name, body] of tests)
    if (!name.includes("16 MiB")) await body().catch((error: unknown) => failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`));
  return failed;
}

export async function fill(storage: Storage, files: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [path, text] of Object.entries(files)) await storage.write(path, bytesOf(text));
}

/** The options but one. */
export function without<T extends object, K extends keyof T & string>(options: T | undefined, key: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => name !== key)) as Omit<T, K>;
}
