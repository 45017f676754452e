/** One line of `hango doctor`. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "bad";
  readonly found: string;
  /** What to do; absent when there is nothing to do. */
  readonly advice?: string;
}

export function ok(name: string, found: string): Check {
  return { name, state: "ok", found };
}

export function warn(name: string, found: string, advice: string): Check {
  return { name, state: "warn", found, advice };
}

export function bad(name: string, found: string, advice: string): Check {
  return { name, state: "bad", found, advice };
}
