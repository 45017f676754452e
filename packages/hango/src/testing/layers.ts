/** layerConformance: what every layer owes the storage below it, whatever it decides. */
import { defineStorage } from "../contract/define-storage.ts";
import type { CallOptions, FileInfo, Origin, Storage } from "../storage.ts";
import { same } from "./assert.ts";
import { bytesOf } from "./case.ts";
import type { TestRunner } from "./conformance.ts";

export interface LayerSubject {
  readonly name: string;
  readonly wrap: (inner: Storage) => Storage;
  /** What the layer itself sets of the origin: a guard sets actor and session. */
  readonly sets?: Partial<Origin>;
}

const info: FileInfo = { path: "a", sizeBytes: 1, contentType: "text/plain", version: "v1" };

/** A storage of one file that notes the options of each call. */
function recorder(note: (options: CallOptions | undefined) => void): Storage {
  const noted = async <T>(options: CallOptions | undefined, answer: T): Promise<T> => {
    note(options);
    return answer;
  };
  return defineStorage({
    name: "recorder",
    list: (options) => noted(options, [info]),
    read: (_path, options) => noted(options, { info, bytes: bytesOf("x") }),
    write: (path, bytes, options) => noted(options, { ...info, path, sizeBytes: bytes.length }),
    delete: (_path, options) => noted(options, undefined),
    apply: (mutations, options) =>
      noted(
        options,
        mutations.filter((one) => one.kind !== "delete").map((one) => ({ ...info, path: one.path })),
      ),
    record: (_event, options) => noted(options, undefined),
    search: { syntax: "a word", paths: (_query, options) => noted(options, ["a"]) },
  });
}

/** Registers the cases: `origin` and `signal` reach the storage below unchanged in every call that does. */
export function layerConformance(runner: TestRunner, { name, wrap, sets = {} }: LayerSubject): void {
  runner.describe(`${name} passes options on`, () => {
    runner.it("hands origin and signal to the storage below, unchanged, in every call", async () => {
      const origin: Origin = { actor: "agent", principal: "someone", tool: "write_file", toolCallId: "call-1" };
      const { signal } = new AbortController();
      const options = { origin, signal };
      const seen: CallOptions[] = [];
      const storage = wrap(recorder((given) => void seen.push(given ?? {})));
      const calls: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
        list: () => storage.list(options),
        read: () => storage.read("a", options),
        write: () => storage.write("a", bytesOf("y"), options),
        delete: () => storage.delete("a", options),
        stat: () => storage.stat("a", options),
        ls: () => storage.ls("", options),
        lines: () => storage.lines("a", { offset: 1, limit: 1, column: 1, maxLineChars: 10, ...options }),
        apply: () => storage.apply?.([{ kind: "modify", path: "a", bytes: bytesOf("y") }], options),
        record: () => storage.record?.({ action: "file.write", outcome: "denied", path: "a" }, options),
        search: () => storage.search?.paths("x", options),
      };
      for (const [call, run] of Object.entries(calls)) {
        seen.length = 0;
        const running = run();
        if (running === undefined) continue;
        await running;
        same(seen.length > 0, true, `${call} reaches the storage below`);
        for (const given of seen) same([given.origin, given.signal === signal], [{ ...origin, ...sets }, true], `origin and signal of ${call}`);
      }
    });
  });
}
