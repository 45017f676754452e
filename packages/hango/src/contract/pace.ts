import { MATCH_SLICE_WORK } from "../limits.ts";
import { giveWay } from "./drain.ts";

/** Counts work done, and gives way to the event loop after each slice of it. Units: any that cost about as much as a character matched. */
export type Pace = (work: number) => Promise<void> | undefined;

/** Paces a loop over many small files, which would else hold the event loop to its end. Errors: an abort rethrows `signal.reason`. */
export function makePace(signal: AbortSignal | undefined): Pace {
  let done = 0;
  return (work: number): Promise<void> | undefined => {
    done += work;
    if (done < MATCH_SLICE_WORK) return undefined;
    done = 0;
    return pause(signal);
  };
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await giveWay();
  signal?.throwIfAborted();
}
