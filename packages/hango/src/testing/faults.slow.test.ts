import { describe, expect, it } from "vitest";
import { defineStorage } from "../contract/define-storage.ts";
import { HangoError, isHangoError } from "../errors.ts";
import type { Storage, StorageImplementation } from "../storage.ts";
import { memoryStorage } from "../storages/memory.ts";
import { failuresOf, fill, registered, without } from "./collect.test-support.ts";
import { type ConformanceSubject, storageConformance } from "./conformance.ts";

/** The parts of memory that a faulty storage puts one wrong thing in the place of. */
function faulty(fault: (memory: Storage) => Partial<StorageImplementation>): ConformanceSubject["create"] {
  return async (files) => {
    const memory = memoryStorage();
    await fill(memory, files);
    const { list, read, write, delete: remove, apply, search, stat, ls, lines, glob, grep } = memory;
    return defineStorage({ name: "faulty", list, read, write, delete: remove, apply, search, stat, ls, lines, glob, grep, ...fault(memory) });
  };
}

const withoutMark = (bytes: Uint8Array): Uint8Array => (bytes[0] === 0xef ? bytes.slice(3) : bytes);

/** What is wrong, how it shows, and the topic of a case that must notice. */
const FAULTS: readonly (readonly [string, RegExp, (memory: Storage) => Partial<StorageImplementation>])[] = [
  ["a write that ignores ifVersion", /^versions:/, (memory) => ({ write: (path, bytes, options) => memory.write(path, bytes, without(options, "ifVersion")) })],
  ["a delete that ignores ifVersion", /^versions:/, (memory) => ({ delete: (path) => memory.delete(path) })],
  [
    "a delete that says a file is gone where a directory stands now",
    /^versions:/,
    (memory) => ({
      delete: (path, options) =>
        memory
          .delete(path, options)
          .catch((error: unknown) =>
            Promise.reject(isHangoError(error, "not_a_file") && options?.ifVersion !== undefined ? new HangoError("conflict", "gone") : error),
          ),
    }),
  ],
  [
    "a write that ignores the content type",
    /^content types:/,
    (memory) => ({ write: async (path, bytes, options) => ({ ...(await memory.write(path, bytes, options)), contentType: "text/plain" }) }),
  ],
  [
    "a read that drops the byte order mark",
    /^content:/,
    (memory) => ({ read: async (path, options) => ((data) => ({ ...data, bytes: withoutMark(data.bytes) }))(await memory.read(path, options)) }),
  ],
  [
    "a read of a directory that says not_found",
    /^files and directories:/,
    (memory) => ({
      read: (path, options) =>
        memory.read(path, options).catch((error: unknown) => Promise.reject(isHangoError(error, "not_a_file") ? new HangoError("not_found", "gone") : error)),
    }),
  ],
  ["a list that counts hidden files towards the limit", /^list:/, (memory) => ({ list: (options) => memory.list(without(options, "filters")) })],
  [
    "a list in the order of UTF-16 units",
    /^list:/,
    (memory) => ({ list: async (options) => [...(await memory.list(options))].sort((a, b) => (a.path < b.path ? -1 : 1)) }),
  ],
  [
    "a list that takes the prefix as the start of a name and then stops at the limit",
    /^list:|^stat and ls:/,
    (memory) => ({
      list: async ({ prefix = "", limit, ...options } = {}) => (await memory.list(options)).filter((info) => info.path.startsWith(prefix)).slice(0, limit),
    }),
  ],
  [
    "a stat that shows a directory whose every file is hidden",
    /^stat and ls:/,
    (memory) => ({ stat: (path, options) => memory.stat(path, without(options, "filters")) }),
  ],
  [
    "an ls that drops the last entry",
    /^stat and ls:|^accelerators:/,
    (memory) => ({ ls: async (directory, options) => (await memory.ls(directory, options)).slice(0, -1) }),
  ],
  [
    "lines that keep CR",
    /^lines:/,
    (memory) => ({
      lines: async (path, query) =>
        ((page) => ({ ...page, lines: page.lines.map((line) => ({ ...line, text: `${line.text}\r` })) }))(await memory.lines(path, query)),
    }),
  ],
  [
    "a grep that counts columns in UTF-16 units",
    /^grep:|^accelerators:/,
    (memory) => ({
      grep: async (query) => (await memory.grep(query)).map((hit) => ({ ...hit, column: [...hit.text].slice(0, hit.column - 1).join("").length + 1 })),
    }),
  ],
  ["a grep that names no binary file", /^grep:/, (memory) => ({ grep: (query) => memory.grep(without(query, "onSkip")) })],
  [
    "a grep that stops one short of the limit",
    /^grep:/,
    (memory) => ({ grep: async (query) => (await memory.grep(query)).slice(0, Math.max(1, query.limit - 1)) }),
  ],
  ["a glob that hides dot files", /^glob:/, (memory) => ({ glob: async (query) => (await memory.glob(query)).filter((path) => !/(^|\/)\./.test(path)) })],
  [
    "a search with regard to nothing after the first hit",
    /^search:/,
    (memory) => ({ search: { syntax: "a word", paths: async (query, options) => ((await memory.search?.paths(query, options)) ?? []).slice(0, 1) } }),
  ],
  [
    "an apply that goes one by one",
    /^apply:/,
    (memory) => ({
      apply: async (mutations) => {
        const infos = [];
        for (const one of mutations) infos.push(...((await memory.apply?.([one])) ?? []));
        return infos;
      },
    }),
  ],
  [
    "a write that first deletes, so that two in flight both succeed",
    /^calls in flight together:|^versions:/,
    (memory) => ({
      write: async (path, bytes, { ifVersion, ...options } = {}) => {
        const stat = await memory.stat(path);
        const current = stat?.kind === "file" ? stat.info.version : undefined;
        if (ifVersion === "absent" && current !== undefined) throw new HangoError("already_exists", "there");
        if (ifVersion !== undefined && ifVersion !== "absent" && ifVersion !== current)
          throw new HangoError("conflict", "stale", { details: { currentVersion: current } });
        await Promise.resolve();
        return memory.write(path, bytes, options);
      },
    }),
  ],
];

describe("the conformance suite", () => {
  it.each(FAULTS)("notices %s", async (_, topic, fault) => {
    const failed = await failuresOf(registered((runner) => storageConformance(runner, { name: "faulty", lacks: ["record"], create: faulty(fault) })));
    expect(
      failed.filter((name) => topic.test(name)),
      failed.join("\n"),
    ).not.toEqual([]);
  });
});
