/** What each held path comes to, held against the base as it is now. */
import type { CallOptions } from "../../storage.ts";
import { sameBytes } from "../../text/same-bytes.ts";
import type { Held, HeldDelete, HeldFile } from "./pending.ts";
import { baseFile, readIfThere, type View } from "./view.ts";

export interface Surveyed<H extends Held = Held> {
  readonly held: H;
  /** "none": the base already has it so. */
  readonly kind: "none" | "create" | "modify" | "delete";
  /** The base has changed there since the first touch, to something else than what is held. */
  readonly isMoved: boolean;
  /** The base's bytes; given with `content`, and where they had to be compared. */
  readonly previous?: Uint8Array | undefined;
}

export interface SurveyOptions extends CallOptions {
  /** Read the base's bytes of what is modified or deleted. */
  readonly content: boolean;
}

export function surveyOne(view: View, held: Held, options: SurveyOptions): Promise<Surveyed> {
  return held.kind === "file" ? surveyFile(view, held, options) : surveyDelete(view, held, options);
}

async function surveyFile(view: View, held: HeldFile, options: SurveyOptions): Promise<Surveyed> {
  const { path, pin } = held;
  const { info, isFolded } = await baseFile(view, path, options);
  // The other spelling's delete comes first, so the write makes a new file.
  if (isFolded) return { held: { ...held, pin: undefined, isSame: false }, kind: "create", isMoved: false };
  if (info === undefined) return { held, kind: "create", isMoved: pin !== undefined };
  if (!options.content && info.version === pin?.version && held.isSame !== undefined) return { held, kind: held.isSame ? "none" : "modify", isMoved: false };
  const before = await readIfThere(view, path, options);
  if (before === undefined) return { held, kind: "create", isMoved: pin !== undefined };
  if (sameBytes(before.bytes, held.bytes)) return { held, kind: "none", isMoved: false };
  return { held, kind: "modify", isMoved: before.info.version !== pin?.version, previous: before.bytes };
}

async function surveyDelete(view: View, held: HeldDelete, options: SurveyOptions): Promise<Surveyed> {
  const { info } = await baseFile(view, held.path, options);
  const before = info !== undefined && options.content ? await readIfThere(view, held.path, options) : undefined;
  const current = options.content ? before?.info : info;
  if (current === undefined) return { held, kind: "none", isMoved: false };
  return { held, kind: "delete", isMoved: current.version !== held.pin.version, previous: before?.bytes };
}
