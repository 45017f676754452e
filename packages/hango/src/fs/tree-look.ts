/** What stands around the files looks at what a recursive delete is about to take: one listing serves all of them, and nothing slips in between. */
import type { DeleteOptions, FileInfo } from "../storage.ts";

/** The files that go: those below a directory, or the one file that the path is. */
interface Doomed {
  readonly kind: "file" | "directory";
  readonly files: readonly FileInfo[];
}

/** Sees the files before the first goes; what it throws stops the whole. */
export type TreeLook = (doomed: Doomed) => Promise<void>;

const treeLook: unique symbol = Symbol("treeLook");

export interface DeleteCall extends DeleteOptions {
  readonly recursive?: boolean;
  /** A symbol, so that it passes through what stands around the files, and no caller of the library has it. */
  readonly [treeLook]?: TreeLook;
}

/** The call with a look that comes before the one it carries: who stands nearer to the files looks first. */
export function withTreeLook<T extends DeleteCall>(call: T, look: TreeLook): T {
  return {
    ...call,
    [treeLook]: async (doomed: Doomed): Promise<void> => {
      await look(doomed);
      await call[treeLook]?.(doomed);
    },
  };
}

export async function lookAt(doomed: Doomed, call: DeleteCall): Promise<void> {
  await call[treeLook]?.(doomed);
}
