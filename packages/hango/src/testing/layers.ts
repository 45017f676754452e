/** layerConformance: what every layer owes the storage below it, whatever it decides. */
import { defineStorage } from "../contract/define-storage.ts";
import type { CallOptions, FileInfo, FilterOptions, Origin, PathFilter, Storage } from "../storage.ts";
import { parseGlob } from "../text/glob.ts";
import { parsePattern } from "../text/pattern/pattern.ts";
import { holds, print, refused, same } from "./assert.ts";
import { bytesOf } from "./case.ts";
import { reportSkip, type TestRunner } from "./conformance.ts";

export interface LayerSubject {
  readonly name: string;
  readonly wrap: (inner: Storage) => Storage;
  /** What the layer itself sets of the origin: a guard sets actor and session. */
  readonly sets?: Partial<Origin>;
  /** Calls that never reach the storage below, such as the writes of a read-only layer. */
  readonly refuses?: readonly string[];
}

/** What reached the storage below in one call. */
interface Noted {
  readonly options: FilterOptions;
  /** True where the call can carry filters. */
  readonly takesFilters: boolean;
}

const info: FileInfo = { path: "a", sizeBytes: 1, contentType: "text/plain", version: "v1" };

/** A storage of one file that notes the options of each call. Its accelerators are its own, so that a lost filter or signal is seen where it is lost. */
function recorder(note: (noted: Noted) => void): Storage {
  const noted = async <T>(options: FilterOptions | undefined, answer: T): Promise<T> => {
    note({ options: options ?? {}, takesFilters: false });
    return answer;
  };
  const found = async <T>(options: FilterOptions | undefined, answer: T): Promise<T> => {
    note({ options: options ?? {}, takesFilters: true });
    return answer;
  };
  return defineStorage({
    name: "recorder",
    list: (options) => found(options, [info]),
    read: (_path, options) => noted(options, { info, bytes: bytesOf("x") }),
    write: (path, bytes, options) => noted(options, { ...info, path, sizeBytes: bytes.length }),
    delete: (_path, options) => noted(options, undefined),
    stat: (path, options) => found(options, path === "a" ? { kind: "file", info } : undefined),
    ls: (_directory, options) => found(options, [{ kind: "file", info }]),
    lines: (_path, query) => noted(query, { info, totalLines: 1, lines: [{ number: 1, text: "x", clipped: false }] }),
    glob: (query) => found(query, ["a"]),
    grep: (query) => found(query, [{ path: "a", line: 1, column: 1, text: "x" }]),
    apply: (mutations, options) =>
      noted(
        options,
        mutations.filter((one) => one.kind !== "delete").map((one) => ({ ...info, path: one.path })),
      ),
    record: (_event, options) => noted(options, undefined),
    search: { syntax: "a word", paths: (_query, options) => found(options, ["a"]) },
  });
}

const origin: Origin = { actor: "agent", principal: "someone", tool: "write_file", toolCallId: "call-1" };
const filter: PathFilter = { hide: ["hidden/"], show: ["hidden/shown"] };

type Run = (storage: Storage, options: CallOptions, filters: readonly PathFilter[]) => Promise<unknown> | undefined;

const calls: Readonly<Record<string, Run>> = {
  list: (storage, options, filters) => storage.list({ ...options, filters }),
  read: (storage, options) => storage.read("a", options),
  write: (storage, options) => storage.write("a", bytesOf("y"), options),
  delete: (storage, options) => storage.delete("a", options),
  stat: (storage, options, filters) => storage.stat("a", { ...options, filters }),
  ls: (storage, options, filters) => storage.ls("", { ...options, filters }),
  lines: (storage, options) => storage.lines("a", { offset: 1, limit: 1, column: 1, maxLineChars: 10, ...options }),
  glob: (storage, options, filters) => storage.glob({ pattern: parseGlob("*"), root: "", limit: 10, ...options, filters }),
  grep: (storage, options, filters) => storage.grep({ pattern: parsePattern("x"), root: "", context: 0, limit: 10, ...options, filters }),
  apply: (storage, options) => storage.apply?.([{ kind: "modify", path: "a", bytes: bytesOf("y") }], options),
  record: (storage, options) => storage.record?.({ action: "file.write", outcome: "denied", path: "a" }, options),
  search: (storage, options, filters) => storage.search?.paths("x", { ...options, filters }),
};
const filtered: ReadonlySet<string> = new Set(["list", "stat", "ls", "glob", "grep", "search"]);

/** Registers a case for each call: `origin` and `signal` reach the storage below unchanged, and no filter is lost. A feature that the layer lacks is a skip. */
export function layerConformance(runner: TestRunner, { name, wrap, sets = {}, refuses = [] }: LayerSubject): void {
  runner.describe(`${name} passes options on`, () => {
    for (const [call, run] of Object.entries(calls))
      runner.it(`hands origin, signal and filters of ${call} to the storage below`, async (context?: unknown) => {
        const { signal } = new AbortController();
        const seen: Noted[] = [];
        if (refuses.includes(call)) {
          await refused("read_only", async () => run(wrap(recorder((noted) => void seen.push(noted))), { origin, signal }, [filter]), call);
          return holds(seen.length === 0, `a refused ${call} reached the storage below`);
        }
        const running = run(wrap(recorder((noted) => void seen.push(noted))), { origin, signal }, [filter]);
        if (running === undefined) return reportSkip(context, `skipped: ${call} is absent (${name})`);
        await running;
        holds(seen.length > 0, `${call} does not reach the storage below`);
        for (const { options, takesFilters } of seen) {
          same([options.origin, options.signal === signal], [{ ...origin, ...sets }, true], `origin and signal of ${call}`);
          if (!takesFilters || !filtered.has(call)) continue;
          holds((options.filters ?? []).map(print).includes(print(filter)), `the filters of ${call} reach the storage below: got ${print(options.filters)}`);
        }
      });
  });
}
