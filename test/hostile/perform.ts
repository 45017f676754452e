/** Makes one hostile call through the file system, and says how it ended and how long it took. */
import { createHash } from "node:crypto";
import { isHangoError, type ErrorCode } from "../../packages/hango/src/errors.ts";
import type { FileSystem } from "../../packages/hango/src/filesystem.ts";
import { createFileSystem } from "../../packages/hango/src/fs/create-file-system.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import type { EditInput, HostileInput } from "./inputs.ts";
import type { Stall, StallWatch } from "./stall.ts";
import type { World } from "./world.ts";

/** Refusals that are about the call; any other says that the storage was hurt by it. */
const FAIR: ReadonlySet<ErrorCode> = new Set(["invalid_pattern", "invalid_argument", "invalid_content", "no_match", "ambiguous_match", "too_large", "timeout"]);

export interface Outcome {
  readonly number: number;
  readonly kind: HostileInput["kind"];
  /** "answered", or the code of the refusal. */
  readonly ended: "answered" | ErrorCode;
  readonly ms: number;
  readonly stall: Stall;
  /** Of a whole answer, the same for the same answer on another storage. */
  readonly digest: string;
  /** What was neither an answer nor a fair refusal; undefined when all is well. */
  readonly broken: string | undefined;
  /** After a timeout: how long the storage needed until it answered the next call. */
  readonly recoveryMs: number;
}

/** The tree is afterwards as it was before. */
export async function perform(
  storage: Storage,
  world: World,
  { number, input, watch }: { number: number; input: HostileInput; watch: StallWatch },
): Promise<Outcome> {
  const fs = createFileSystem(storage);
  watch.take();
  const start = performance.now();
  const { answer, error } = await call(fs, input).then(
    (value) => ({ answer: value, error: undefined }),
    (thrown: unknown) => ({ answer: undefined, error: thrown }),
  );
  const ms = performance.now() - start;
  const stall = watch.take();
  const ended = answer !== undefined ? "answered" : isHangoError(error) ? error.code : "internal";
  const fair = answer !== undefined || (isHangoError(error) && FAIR.has(error.code));
  const recovered = performance.now();
  if (ended === "timeout") await fs.ls("/");
  const recoveryMs = ended === "timeout" ? performance.now() - recovered : 0;
  if (input.kind === "edit" && answer !== undefined) await restore(storage, world, input);
  const told = answer ?? (isHangoError(error) ? error.code : String(error));
  return { number, kind: input.kind, ended, ms, stall, digest: digestOf(told), broken: fair ? undefined : shownError(error), recoveryMs };
}

/** Without what two storages may differ in: versions, and a diff that a clock cuts short. */
async function call(fs: FileSystem, input: HostileInput): Promise<unknown> {
  switch (input.kind) {
    case "grep": {
      const { kind: _, pattern, ...options } = input;
      return fs.grep(pattern, options);
    }
    case "glob":
      return fs.glob(input.pattern, { root: input.root });
    case "edit": {
      const { path, replacements, sizeBytes } = await fs.edit(input.path, input.oldText, input.newText, { replaceAll: input.replaceAll });
      return { path, replacements, sizeBytes };
    }
  }
}

async function restore(storage: Storage, { texts }: World, { path }: EditInput): Promise<void> {
  const name = path.slice(1);
  await storage.write(name, new TextEncoder().encode(texts.get(name)));
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}

function shownError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
