/** A driver that fails one of its runs, so that every place where the database can fail is tried in turn. */
import { HangoError } from "../../packages/hango/src/errors.ts";
import type { Driver, Statement } from "../../packages/hango/src/storages/postgres/driver/driver.ts";

/** "before": nothing is sent. "after": it is committed, and the answer is lost. "inside": its transaction fails behind the statement of that number. */
export type Place = "before" | "after" | { readonly inside: number };

export interface FaultyDriver extends Driver {
  /** Fails the run of that number, counted from now on and from 1. */
  readonly failRun: (call: number, place: Place) => void;
  /** Fails nothing more. Answers whether the fault was met, and how many runs there were. */
  readonly disarm: () => { readonly met: boolean; readonly runs: number };
}

const division: Statement = { text: "select 1 / $1::int", values: [0] };

export function faultyDriver(driver: Driver): FaultyDriver {
  let armed: { readonly call: number; readonly place: Place } | undefined;
  let runs = 0;
  let met = false;

  const run: Driver["run"] = async (statements, options) => {
    runs += 1;
    if (armed === undefined || runs !== armed.call) return driver.run(statements, options);
    const { place } = armed;
    if (typeof place === "object") {
      if (place.inside > statements.length) return driver.run(statements, options);
      met = true;
      return driver.run([...statements.slice(0, place.inside), division, ...statements.slice(place.inside)], options);
    }
    met = true;
    if (place === "after") await driver.run(statements, options);
    throw new HangoError("unavailable", "The database failed on purpose.");
  };

  return {
    ...driver,
    run,
    failRun: (call, place) => {
      armed = { call, place };
      runs = 0;
      met = false;
    },
    disarm: () => {
      armed = undefined;
      return { met, runs };
    },
  };
}
