/**
 * Whether a history of one path could have happened one call after the other, each at a moment between its start and its end.
 * Versions make that easy to decide: each is written once, and within one life of a file they are numbered.
 */
import type { Version } from "../../packages/hango/src/storage.ts";
import type { Call, Effect } from "./cas-history.ts";

/** From a create to the delete of what it made. */
interface Life {
  readonly writes: Map<number, Call>;
  readonly sights: Map<number, Call[]>;
  deletion?: Call;
}

/** What the record says of a call: the version it wrote, or the one it deleted. */
export interface Recorded {
  readonly kind: "wrote" | "deleted";
  readonly version: Version;
}

/** `record`: by the call's id; an answer does not say which version a delete removed, nor whether an open call was done. Answers one sentence for each violation. */
export function violations(history: readonly Call[], record: ReadonlyMap<string, Recorded>): readonly string[] {
  const settled = history.map((call) => settle(call, record.get(call.id)));
  const found: string[] = [];
  for (const [path, calls] of groupedByPath(settled)) found.push(...pathViolations(calls, record).map((text) => `${path}: ${text}`));
  return found;
}

/** An open call that was done may have been done at any time since its start. */
function settle(call: Call, recorded: Recorded | undefined): Call {
  if (call.effect.kind !== "open" || recorded === undefined) return call;
  const effect: Effect = recorded.kind === "deleted" ? { kind: "deleted" } : { kind: "wrote", version: recorded.version };
  return { ...call, end: Number.POSITIVE_INFINITY, effect };
}

function groupedByPath(history: readonly Call[]): ReadonlyMap<string, readonly Call[]> {
  const byPath = new Map<string, Call[]>();
  for (const call of history) {
    const calls = byPath.get(call.path) ?? [];
    calls.push(call);
    byPath.set(call.path, calls);
  }
  return byPath;
}

function pathViolations(calls: readonly Call[], record: ReadonlyMap<string, Recorded>): readonly string[] {
  const found: string[] = [];
  const lives = new Map<string, Life>();
  const absent: Call[] = [];
  for (const call of calls) {
    found.push(...brokenConditions(call));
    const recorded = record.get(call.id);
    if (call.effect.kind === "open") continue;
    if (call.effect.kind === "saw" && recorded !== undefined) found.push(`${call.id} was refused and done`);
    const version = call.effect.kind === "deleted" ? recorded?.version : call.effect.version;
    if (version !== undefined) found.push(...addTo(lives, call, version));
    else if (call.effect.kind === "saw") absent.push(call);
    else found.push(`${call.id} was answered ok and is not in the record`);
  }
  const ordered = inOrder([...lives].map(([id, life]) => ({ id, steps: stepsOf(life) })));
  if (ordered === undefined) return [...found, "the lives of the file can't be put in an order"];
  for (const { id, steps } of ordered) if (!steps.complete) found.push(`the life ${id} lacks a version that was counted`);
  return [...found, ...orderViolations(ordered.flatMap(({ steps }) => steps.calls)), ...absentViolations(ordered, absent)];
}

/** A write over a version makes the next number of the same row; one that expects no file makes number 1; a refusal never shows what was expected. */
function brokenConditions({ id, expected, effect }: Call): readonly string[] {
  if (expected === undefined) return [];
  if (effect.kind === "saw" && effect.version === expected) return [`${id} was refused over ${expected}, which it expected and which was there`];
  if (effect.kind === "saw" && expected === "absent" && effect.version === undefined) return [`${id} was refused, as if there were a file, and none was named`];
  if (effect.kind !== "wrote") return [];
  const next = expected === "absent" ? effect.version.endsWith(".1") : effect.version === nextOf(expected);
  return next ? [] : [`${id} wrote ${effect.version} over ${expected}`];
}

function nextOf(version: Version): Version {
  const [row, number] = version.split(".");
  return `${row}.${Number(number) + 1}`;
}

function addTo(lives: Map<string, Life>, call: Call, version: Version): readonly string[] {
  const [row = "", text] = version.split(".");
  const number = Number(text);
  const life: Life = lives.get(row) ?? { writes: new Map(), sights: new Map() };
  lives.set(row, life);
  if (call.effect.kind === "deleted") {
    const twice = life.deletion === undefined ? [] : [`${call.id} and ${life.deletion.id} both deleted ${version}`];
    life.deletion = call;
    life.sights.set(number, life.sights.get(number) ?? []);
    const lastWrite = Math.max(...life.writes.keys());
    return lastWrite > number && life.writes.size > 0 ? [...twice, `${call.id} deleted ${version}, over which there was a newer one`] : twice;
  }
  if (call.effect.kind === "saw") {
    life.sights.set(number, [...(life.sights.get(number) ?? []), call]);
    return [];
  }
  const other = life.writes.get(number);
  life.writes.set(number, call);
  return other === undefined ? [] : [`${call.id} and ${other.id} both wrote ${version}`];
}

interface Steps {
  readonly calls: readonly Call[];
  readonly complete: boolean;
}

/** In the one order that the numbers allow: each write, then who saw it; the delete last. */
function stepsOf({ writes, sights, deletion }: Life): Steps {
  const last = Math.max(0, ...writes.keys(), ...sights.keys());
  const calls: Call[] = [];
  let complete = true;
  for (let number = 1; number <= last; number++) {
    const write = writes.get(number);
    if (write === undefined) complete = false;
    else calls.push(write);
    calls.push(...(sights.get(number) ?? []).toSorted((a, b) => a.start - b.start));
  }
  if (deletion !== undefined) calls.push(deletion);
  return { calls, complete };
}

interface Ordered {
  readonly id: string;
  readonly steps: Steps;
}

/** A life of which some call ended before some call of another started comes before that one. Answers undefined when there is no such order. */
function inOrder(lives: readonly Ordered[]): readonly Ordered[] | undefined {
  const left = lives
    .map((life) => ({
      life,
      firstEnd: Math.min(...life.steps.calls.map(({ end }) => end)),
      lastStart: Math.max(...life.steps.calls.map(({ start }) => start)),
    }))
    .toSorted((a, b) => a.firstEnd - b.firstEnd);
  const ordered: Ordered[] = [];
  while (left.length > 0) {
    // The next is one before which no other has to come.
    const at = left.findIndex(({ lastStart }, place) => lastStart <= (left[place === 0 ? 1 : 0]?.firstEnd ?? Number.POSITIVE_INFINITY));
    const [next] = at < 0 ? [] : left.splice(at, 1);
    if (next === undefined) return undefined;
    ordered.push(next.life);
  }
  return ordered;
}

/** No call may end before one that comes earlier in the order has started. */
function orderViolations(calls: readonly Call[]): readonly string[] {
  const found: string[] = [];
  let latest: Call | undefined;
  for (const call of calls) {
    if (latest !== undefined && call.end < latest.start) found.push(`${call.id} comes after ${latest.id}, which started when it was over`);
    if (latest === undefined || call.start > latest.start) latest = call;
  }
  return found;
}

/** A call that saw no file needs a time without one inside its own: before the first life, between two, or after the last. */
function absentViolations(lives: readonly Ordered[], absent: readonly Call[]): readonly string[] {
  const gaps: { opens: number; closes: number }[] = [];
  let opens = Number.NEGATIVE_INFINITY;
  for (const { steps } of lives) {
    gaps.push({ opens, closes: Math.min(...steps.calls.map(({ end }) => end)) });
    opens = Math.max(opens, ...steps.calls.map(({ start }) => start));
  }
  if (lives.length === 0 || lives.at(-1)?.steps.calls.at(-1)?.effect.kind === "deleted") gaps.push({ opens, closes: Number.POSITIVE_INFINITY });
  return absent
    .filter(({ start, end }) => !gaps.some((gap) => end >= gap.opens && start <= gap.closes))
    .map(({ id }) => `${id} saw no file when there was one`);
}
