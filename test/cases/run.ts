/** Runs one public case in a fresh storage, through the tools that a model has. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { fileTools, isHangoError, openSession, uuidFor, type ErrorCode, type Session, type Storage, type Tool, type ToolResult } from "hango";
import { filled } from "../conformance/seeded.ts";
import type { BatchStep, ChangeStep, FindStep, PublicCase, ReadStep, Step } from "./case.ts";

const TOOLS = ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete_file"] as const;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

interface World {
  readonly storage: Storage;
  readonly session: (name: string | undefined) => { readonly session: Session; readonly tools: ReadonlyMap<string, Tool> };
}

/** "/large_tool_results/s1/c" with the UUID of s1. */
function real<T>(value: T): T {
  if (typeof value !== "string") return value;
  return value.replace(
    /^\/(large_tool_results|conversation_history)\/(s\d+)(?=[/.]|$)/,
    (_, place: string, name: string) => `/${place}/${uuidFor(name)}`,
  ) as T & string;
}

function worldOf(storage: Storage): World {
  const sessions = new Map<string, ReturnType<World["session"]>>();
  return {
    storage,
    session: (name = "s1") => {
      const known = sessions.get(name);
      if (known !== undefined) return known;
      const session = openSession({ storage, sessionId: uuidFor(name), tools: TOOLS });
      const made = { session, tools: new Map(fileTools(session).map((tool) => [tool.name, tool])) };
      sessions.set(name, made);
      return made;
    },
  };
}

export async function runPublicCase(storage: Storage, one: PublicCase): Promise<void> {
  const world = worldOf(storage);
  const files = Object.entries(one.files ?? {});
  await filled(storage, Object.fromEntries(files.filter(([path]) => ownerOf(path) === undefined).map(([path, text]) => [stored(path), text])));
  for (const [path, text] of files) if (ownerOf(path) !== undefined) await put(world, path, text);
  const before = new Map<string, unknown>();
  for (const path of one.unchanged ?? []) before.set(path, await stateOf(storage, path));
  for (const [index, step] of one.steps.entries()) await runStep(world, step, `step ${index + 1}`);
  for (const path of one.unchanged ?? []) expect(await stateOf(storage, path), `${path} must be unchanged`).toEqual(before.get(path));
}

async function runStep(world: World, step: Step, what: string): Promise<void> {
  if ("put" in step) await put(world, step.put, step.text);
  else if ("remove" in step) await world.storage.delete(stored(step.remove));
  else if ("list" in step)
    expect(
      (await world.storage.list()).map((info) => `/${info.path}`),
      what,
    ).toEqual(step.list);
  else if ("holds" in step)
    for (const [path, text] of Object.entries(step.holds)) expect((await stateOf(world.storage, path))?.text ?? null, `${what}: ${path}`).toBe(text);
  else if ("batch" in step) await runBatch(world, step, what);
  else if (step.tool === "read_file") await runRead(world, step, what);
  else if (step.tool === "ls" || step.tool === "glob" || step.tool === "grep") await runFind(world, step, what);
  else judge(step, await call(world, step), what);
}

/** By the owner's own hand; a session's machine files by the system's. */
async function put(world: World, path: string, text: string): Promise<void> {
  const owner = ownerOf(path);
  const storage = owner === undefined ? world.storage : openSession({ storage: world.storage, sessionId: uuidFor(owner), actor: "system" }).storage;
  await storage.write(stored(path), encoder.encode(text));
}

const ownerOf = (path: string): string | undefined => /^\/(?:large_tool_results|conversation_history)\/(s\d+)(?:\/|\.md$)/.exec(path)?.[1];
const stored = (path: string): string => real(path).slice(1);

async function stateOf(storage: Storage, path: string): Promise<{ readonly text: string; readonly version: string } | undefined> {
  try {
    const { bytes, info } = await storage.read(stored(path));
    return { text: decoder.decode(bytes), version: info.version };
  } catch (error) {
    if (isHangoError(error)) return undefined;
    throw error;
  }
}

async function call(
  world: World,
  { as, tool, args }: { readonly as?: string; readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
  batchId?: string,
): Promise<ToolResult> {
  const found = world.session(as).tools.get(tool);
  if (found === undefined) throw new Error(`the session has no tool ${tool}`);
  const given = "path" in args ? { ...args, path: real(args["path"]) } : args;
  return found.execute(given, { toolCallId: randomUUID(), ...(batchId === undefined ? {} : { batchId }) });
}

function textOf(result: ToolResult): string {
  return typeof result.forModel === "string" ? result.forModel : result.forModel.map((part) => ("text" in part ? String(part.text) : "")).join("\n");
}

function judge(step: ChangeStep | ReadStep | FindStep, result: ToolResult, what: string): void {
  const text = textOf(result);
  const shown = `${what}, ${step.tool} ${JSON.stringify(step.args).slice(0, 120)}: ${text.slice(0, 300)}`;
  if (step.error === undefined) expect(result.code ?? "ok", shown).toBe("ok");
  else expect(codesOf(step.error), shown).toContain(result.code);
  expect(result.isError, shown).toBe(step.error !== undefined);
  for (const part of step.says ?? []) expect(text, what).toContain(part);
  for (const part of step.omits ?? []) expect(text, what).not.toContain(part);
}

const codesOf = (error: ErrorCode | readonly ErrorCode[]): readonly string[] => (typeof error === "string" ? [error] : error);

async function runBatch(world: World, { batch }: BatchStep, what: string): Promise<void> {
  const batchId = randomUUID();
  const results = await Promise.all(batch.map((one) => call(world, one, batchId)));
  for (const [index, one] of batch.entries()) judge(one, results[index] as ToolResult, `${what}, call ${index + 1}`);
}

interface ShownLine {
  readonly number: number;
  readonly text: string;
}

function numbered(text: string): readonly ShownLine[] {
  return text.split("\n").flatMap((line) => {
    const match = /^ *(\d+)\t(.*)$/s.exec(line);
    return match === null ? [] : [{ number: Number(match[1]), text: match[2] as string }];
  });
}

/** What is not a numbered line. */
function footer(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^ *\d+\t/.test(line))
    .join("\n");
}

function nextOffset(text: string): number | undefined {
  const named = [...footer(text).matchAll(/offset\D{0,20}(\d+)/gi)].at(-1)?.[1];
  return named === undefined ? undefined : Number(named);
}

async function runRead(world: World, step: ReadStep, what: string): Promise<void> {
  const result = await call(world, step);
  judge(step, result, what);
  const text = textOf(result);
  const lines = numbered(text);
  for (const [number, want] of step.shows ?? []) expect(lines, what).toContainEqual({ number, text: want });
  if (step.shows?.length === 0) expect(lines, what).toEqual([]);
  if (step.whole !== undefined) expect(lines.map((line) => line.text).join("\n"), what).toBe(step.whole);
  if (step.total !== undefined) expect(footer(text), what).toMatch(new RegExp(`\\b${step.total}\\b`));
  if (step.pages !== true) return;
  const seen = lines.map((line) => line.number);
  let pages = 1;
  for (let next = nextOffset(text); next !== undefined && pages < 200; pages++) {
    const more = textOf(await call(world, { ...step, args: { ...step.args, offset: next } }));
    seen.push(...numbered(more).map((line) => line.number));
    next = nextOffset(more);
  }
  expect(pages, `${what}: pages`).toBeGreaterThan(1);
  expect(seen, what).toEqual(Array.from({ length: step.total ?? 0 }, (_, index) => index + 1));
}

interface Answer {
  readonly code: string;
  readonly text: string;
  readonly names?: readonly string[];
  readonly paths?: readonly string[];
  readonly matches?: readonly { readonly path: string; readonly line: number; readonly text: string; readonly column: number }[];
  readonly truncated?: boolean;
}

async function runFind(world: World, step: FindStep, what: string): Promise<void> {
  const answer = await askLibrary(world, step);
  const result = await call(world, step);
  judge(step, result, `${what}, through the tool`);
  expect(step.error === undefined ? [answer.code] : codesOf(step.error), `${what}, through the library: ${answer.text}`).toContain(answer.code);
  expect(answer.code, `${what}: the tool and the library`).toBe(result.code ?? "ok");
  if (step.names !== undefined) expect(answer.names, what).toEqual(step.names);
  if (step.paths !== undefined) expect(answer.paths, what).toEqual(step.paths.map(real));
  if (step.found !== undefined)
    expect(
      answer.matches?.map((match, index) => pick(match, step.found?.[index] ?? { path: "", line: 0 })),
      what,
    ).toEqual(step.found);
  if (step.count !== undefined) expect(answer.matches?.length ?? answer.paths?.length, what).toBe(step.count);
  if (step.truncated !== undefined) expect(answer.truncated, what).toBe(step.truncated);
  for (const path of (answer.names ?? answer.paths ?? []).slice(0, 20)) expect(textOf(result), `${what}: the tool's text`).toContain(path);
}

const pick = (match: object, shape: object): object => Object.fromEntries(Object.keys(shape).map((key) => [key, match[key as keyof typeof match]]));

async function askLibrary(world: World, step: FindStep): Promise<Answer> {
  const { fs } = world.session(step.as).session;
  const {
    pattern = "",
    path,
    include,
    ignore_case,
    literal,
  } = step.args as { readonly pattern?: string; readonly path?: string; readonly include?: string; readonly ignore_case?: boolean; readonly literal?: boolean };
  const at = real(path);
  try {
    if (step.tool === "ls") {
      const entries = await fs.ls(at ?? "/");
      return { code: "ok", text: "", names: entries.map((entry) => entry.name), paths: entries.map((entry) => entry.path) };
    }
    if (step.tool === "glob") return { code: "ok", text: "", ...(await fs.glob(pattern, at === undefined ? {} : { root: at })) };
    const result = await fs.grep(pattern, {
      ...(at === undefined ? {} : { path: at }),
      ...(include === undefined ? {} : { include }),
      ignoreCase: ignore_case === true,
      literal: literal === true,
    });
    return { code: "ok", text: "", ...result, paths: [...new Set(result.matches.map((match) => match.path))] };
  } catch (error) {
    if (isHangoError(error)) return { code: error.code, text: error.message };
    throw error;
  }
}
