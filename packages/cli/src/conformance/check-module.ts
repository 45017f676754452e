/** `hango conformance`: the published suite on a user's module. */
import { resolve } from "node:path";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { HangoError } from "hango";
import { type ConformanceSubject, storageConformance } from "hango/testing";
import { exitCodes } from "../exit-codes.ts";
import { interrupted } from "../interrupt.ts";
import { counted, plain, print, printJson, say, styled } from "../output.ts";
import { type CaseResult, collectCases, messageOf, runCases } from "./run-cases.ts";

export interface CheckOptions {
  readonly only?: string;
  readonly seed?: number;
  readonly timeoutMs: number;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

export async function checkModule(location: string, options: CheckOptions): Promise<void> {
  const strays = watchStrays();
  const seed = options.seed ?? Math.floor(Math.random() * 0x7fffffff);
  const subject = { ...(await subjectOf(location)), seed };
  const { only = "" } = options;
  const cases = collectCases((runner) => storageConformance(runner, subject)).filter(({ name }) => name.includes(only));
  if (cases.length === 0) throw new HangoError("invalid_argument", `No case's name holds ${JSON.stringify(only)}. Leave --only out to run them all.`);
  const onResult = async (result: CaseResult): Promise<void> => {
    if (options.json !== true && (options.verbose === true || result.outcome !== "passed")) await print(lineOf(result));
  };
  const results = await runCases(cases, { timeoutMs: options.timeoutMs, signal: interrupted, onResult });
  await turnOfTheLoop(); // only then does Node tell of a rejection
  const by = (outcome: CaseResult["outcome"]): readonly CaseResult[] => results.filter((result) => result.outcome === outcome);
  const [passed, failed, skipped] = [by("passed"), by("failed"), by("skipped")];
  if (failed.length > 0 || strays.size > 0) process.exitCode = exitCodes.failed.code;
  for (const reason of strays) say(`a promise was rejected and nobody waited for it: ${plain(reason)}`);
  if (options.json === true) return printJson({ name: subject.name, seed, passed: passed.map(({ name }) => name), failed, skipped });
  await print(`${subject.name}: ${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped\n`);
  if (failed.length > 0) say(`${counted(failed.length, "case")} failed; --seed ${seed} makes the same generated cases again.`);
}

/** A call that is not awaited and fails: it would end the run in the middle of a case it has nothing to do with. */
function watchStrays(): ReadonlySet<string> {
  const reasons = new Set<string>();
  process.on("unhandledRejection", (reason) => void reasons.add(messageOf(reason)));
  return reasons;
}

function lineOf(result: CaseResult): string {
  if (result.outcome === "passed") return `${styled("green", "pass")}  ${plain(result.name)}\n`;
  if (result.outcome === "skipped") return `${styled("yellow", "skip")}  ${plain(result.reason)}\n`;
  const reason = result.reason.split("\n").map((line) => `      ${plain(line)}\n`);
  return `${styled("red", "FAIL")}  ${plain(result.name)}\n${reason.join("")}`;
}

/** What the module exports. Errors: not_found for no module; invalid_argument for one that can't be loaded or exports neither create nor subject. */
async function subjectOf(location: string): Promise<ConformanceSubject> {
  const path = resolve(location);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const missing =
      (cause as { readonly code?: unknown } | undefined)?.code === "ERR_MODULE_NOT_FOUND" &&
      (cause as { readonly url?: unknown }).url === pathToFileURL(path).href;
    if (missing) throw new HangoError("not_found", `${location} does not exist. Name a module, such as ./my-storage.js.`, { cause });
    throw new HangoError("invalid_argument", `${location} can't be loaded: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  const exported = (module["subject"] ?? module["default"] ?? module) as Partial<ConformanceSubject> | ConformanceSubject["create"];
  const subject: Partial<ConformanceSubject> = typeof exported === "function" ? { create: exported } : exported;
  const { create, lacks } = subject;
  if (typeof create !== "function")
    throw new HangoError(
      "invalid_argument",
      `${location} must export create, a function that takes files ({ "a.md": "text" }) and answers a fresh Storage holding them.`,
    );
  const name = typeof subject.name === "string" ? subject.name : location;
  return { name, create, ...(lacks === undefined ? {} : { lacks }) };
}
