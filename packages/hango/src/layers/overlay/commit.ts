/** Carries what is held over to the base: one apply where it has that, else one path after the other. */
import { callOf } from "../../contract/call-of.ts";
import { namePaths } from "../../contract/refusals.ts";
import { HangoError, isHangoError, shownPath } from "../../errors.ts";
import type { CallOptions, FileInfo, Mutation } from "../../storage.ts";
import { mapParallel } from "./parallel.ts";
import type { Held } from "./pending.ts";
import { surveyOne, type Surveyed } from "./survey.ts";
import type { View } from "./view.ts";

/** Applies of one commit: each later one leaves out what the base has come to hold by itself. */
const MAX_APPLIES = 4;

/** Answers the infos of what was written, in path order. `view.pending` is the overlay's own, and holds afterwards what is still to do. */
export async function commitView(view: View, options: CallOptions): Promise<readonly FileInfo[]> {
  const call = callOf(options);
  const infos = view.base.apply === undefined ? await commitInSteps(view, call) : await commitAtOnce(view, view.base.apply, call);
  for (const { path } of view.pending.all()) view.pending.drop(path);
  return infos;
}

/** What would stop a commit: the paths that the base has changed since their first touch. */
export async function conflictsOf(view: View, options: CallOptions): Promise<readonly string[]> {
  return (await surveyAll(view, view.pending.all(), callOf(options))).filter(({ isMoved }) => isMoved).map(({ held }) => held.path);
}

type Apply = NonNullable<View["base"]["apply"]>;

async function commitAtOnce(view: View, apply: Apply, call: CallOptions): Promise<readonly FileInfo[]> {
  const done = new Set<string>();
  for (let applies = 1; ; applies++) {
    const open = view.pending.all().filter(({ path }) => !done.has(path));
    const plan = await mapParallel(open, (held) => foresee(view, held, call));
    // Every path that moved is to be named, so all are looked at once one has.
    if (plan.some(({ isMoved }) => isMoved)) throw movedBase(await surveyAll(view, open, call));
    const mutations = inOrder(plan).map(mutationOf);
    if (mutations.length === 0) return [];
    try {
      return await apply(mutations, call);
    } catch (error) {
      call.signal?.throwIfAborted();
      if (!isHangoError(error)) throw error;
      const isStale = error.code === "conflict" || error.code === "already_exists";
      const surveyed = isStale ? await surveyAll(view, open, call) : [];
      if (surveyed.some(({ isMoved }) => isMoved)) throw movedBase(surveyed, error);
      const settled = surveyed.filter(({ kind }) => kind === "none");
      for (const { held } of settled) done.add(held.path);
      if (settled.length === 0 || applies === MAX_APPLIES) throw stopped(error, { path: mutations[0]?.path ?? "", applied: 0, all: mutations.length });
    }
  }
}

/** What apply finds out by itself is not asked before: a commit of many files is one round trip. */
async function foresee(view: View, held: Held, call: CallOptions): Promise<Surveyed> {
  if (held.kind === "delete") return { held, kind: "delete", isMoved: false };
  if (held.isSame === false && !view.pending.hasDeletedTwin(held.path)) return { held, kind: held.pin === undefined ? "create" : "modify", isMoved: false };
  return surveyOne(view, held, { ...call, content: false });
}

async function commitInSteps(view: View, call: CallOptions): Promise<readonly FileInfo[]> {
  const surveyed = await surveyAll(view, view.pending.all(), call);
  if (surveyed.some(({ isMoved }) => isMoved)) throw movedBase(surveyed);
  // A case-only rename is pinned anew: once the old spelling is deleted, the base has no such file.
  for (const { held } of surveyed) view.pending.set(held);
  const steps = inOrder(surveyed);
  const infos: FileInfo[] = [];
  for (const [applied, step] of steps.entries()) {
    const { path } = step.held;
    try {
      const info = await carryOut(view, step, call);
      if (info !== undefined) infos.push(info);
    } catch (error) {
      call.signal?.throwIfAborted();
      throw isHangoError(error) ? stopped(error, { path, applied, all: steps.length }) : error;
    }
    view.pending.drop(path);
  }
  return infos;
}

async function carryOut(view: View, step: Surveyed, call: CallOptions): Promise<FileInfo | undefined> {
  try {
    return await change(view, step, { ...call, guarded: true });
  } catch (error) {
    if (!isHangoError(error, "unsupported")) throw error;
    // A base without preconditions: the look just before is all there is.
    const again = await surveyOne(view, step.held, { ...call, content: false });
    if (again.isMoved) throw movedBase([again], error);
    return change(view, step, { ...call, guarded: false });
  }
}

async function change({ base }: View, { held }: Surveyed, options: CallOptions & { readonly guarded: boolean }): Promise<FileInfo | undefined> {
  const { guarded, ...call } = options;
  if (held.kind === "delete") {
    await base.delete(held.path, { ...call, ...(guarded ? { ifVersion: held.pin.version } : {}) });
    return undefined;
  }
  return base.write(held.path, held.bytes, { ...call, contentType: held.info.contentType, ...(guarded ? { ifVersion: held.pin?.version ?? "absent" } : {}) });
}

function surveyAll(view: View, held: readonly Held[], call: CallOptions): Promise<readonly Surveyed[]> {
  return mapParallel(held, (one) => surveyOne(view, one, { ...call, content: false }));
}

/** All deletes, then all writes, each in path order, as they came. */
function inOrder(surveyed: readonly Surveyed[]): readonly Surveyed[] {
  const writes = surveyed.filter(({ kind }) => kind === "create" || kind === "modify");
  return [...surveyed.filter(({ kind }) => kind === "delete"), ...writes];
}

function mutationOf({ held }: Surveyed): Mutation {
  if (held.kind === "delete") return { kind: "delete", path: held.path, ifVersion: held.pin.version };
  const written = { path: held.path, bytes: held.bytes, contentType: held.info.contentType };
  return held.pin === undefined ? { kind: "create", ...written } : { kind: "modify", ...written, ifVersion: held.pin.version };
}

function movedBase(surveyed: readonly Surveyed[], cause?: HangoError): HangoError {
  const paths = surveyed.filter(({ isMoved }) => isMoved).map(({ held }) => shownPath(held.path));
  return new HangoError(
    "conflict",
    `Nothing was committed: the base has changed ${namePaths(paths)} since the overlay first did. All changes are still pending; keep what you need of them, discard, and make them again.`,
    { op: "commit", ...(paths.length === 1 ? { path: paths[0] as string } : {}), details: { paths }, cause },
  );
}

function stopped(error: HangoError, at: { readonly path: string; readonly applied: number; readonly all: number }): HangoError {
  const path = error.path ?? shownPath(at.path);
  const left = at.all - at.applied;
  const said = at.applied === 0 ? "Nothing was committed" : `${at.applied} of ${at.all} changes were committed`;
  return new HangoError(
    error.code,
    `The commit stopped at ${path}: ${error.message} ${said}; ${left === 1 ? "one change is" : `${left} changes are`} still pending.`,
    {
      op: "commit",
      path,
      details: { ...error.details, applied: at.applied, left },
      cause: error,
    },
  );
}
