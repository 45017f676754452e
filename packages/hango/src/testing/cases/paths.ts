/** One verdict on a path, whichever call it comes through; and every legal name is a name. */
import { MAX_PATH_BYTES, MAX_PATH_SEGMENTS, MAX_SEGMENT_BYTES } from "../../limits.ts";
import type { Storage } from "../../storage.ts";
import { holds, refused, same } from "../assert.ts";
import { allPaths, bytesOf, type CaseGroup, put, textAt } from "../case.ts";

const deep = (segments: number): string => Array.from({ length: segments }, () => "d").join("/");
/** A path of exactly so many bytes, in segments that are legal by themselves. */
const long = (bytes: number): string => "a".repeat(250) + "/" + "b".repeat(250) + "/" + "c".repeat(bytes - 502);

const BAD: readonly (readonly [string, string])[] = [
  ["a leading slash", "/a"],
  ["a trailing slash", "a/"],
  ["an empty segment", "a//b"],
  ["a dot", "."],
  ["a leading dot segment", "./a"],
  ["a dot segment", "a/./b"],
  ["a parent", ".."],
  ["a parent segment", "a/../b"],
  ["a trailing parent segment", "a/.."],
  ["a backslash", "a\\b"],
  ["NUL", "a\0b"],
  ["a line feed", "a\nb"],
  ["DEL", "a\u007fb"],
  ["a C1 control", "a\u0085b"],
  ["a bidi override", "photo\u202egnp.js"],
  ["a bidi isolate", "a\u2066b"],
  ["a line separator", "a\u2028b"],
  ["a lone surrogate", "a\ud800b"],
  ["a lone low surrogate", "\udc00"],
  ["one byte too many", long(MAX_PATH_BYTES + 1)],
  ["one byte too many in a segment", "s".repeat(MAX_SEGMENT_BYTES + 1)],
  ["a segment too long in bytes, not in characters", "é".repeat(MAX_SEGMENT_BYTES / 2 + 1)],
  ["one segment too many", deep(MAX_PATH_SEGMENTS + 1)],
];

const ODD: readonly string[] = [
  "__proto__",
  "constructor",
  "toString/hasOwnProperty",
  "100%_x.md",
  "%",
  "_",
  'it\'s "quoted".txt',
  "*?{a,b}[x].txt",
  "$1 $& $$.txt",
  " leading and trailing ",
  "-rf",
  "a..b",
  "...",
  "[...slug]/page.tsx",
  "(auth)/[[...sign-in]]/page.js",
  ".hidden",
  "a;b&c|d.txt",
  "#2?&+%20.md",
  "caf\u00e9.md",
  "cafe\u0301.md",
  "30. \u{1F3D7}\uFE0F\u{1F9D9}\u200D\u2642\uFE0F/x.md",
  "\u{1F469}\u200D\u{1F469}\u200D\u{1F467}.txt",
  "\uff61.txt",
  "\u{10FFFD}.txt",
];

async function refusedByReads(storage: Storage, path: string, what: string): Promise<void> {
  await refused("invalid_path", () => storage.read(path), `read of ${what}`);
  await refused("invalid_path", () => storage.stat(path), `stat of ${what}`);
  await refused("invalid_path", () => storage.lines(path, { offset: 1, limit: 1, column: 1, maxLineChars: 10 }), `lines of ${what}`);
  await refused("invalid_path", () => storage.ls(path), `ls of ${what}`);
}

export const pathCases: CaseGroup = {
  topic: "paths",
  cases: [
    {
      name: "refuses a bad path in every reading call, with invalid_path",
      files: { "a/b": "x" },
      run: async (storage) => {
        for (const [what, path] of BAD) await refusedByReads(storage, path, what);
        await refused("invalid_path", () => storage.read(""), "read of the empty path");
      },
    },
    {
      name: "refuses a bad path in write and delete, and leaves nothing behind",
      needs: ["writing"],
      run: async (storage) => {
        for (const [what, path] of [...BAD, ["the empty path", ""] as const]) {
          await refused("invalid_path", () => put(storage, path, "x"), `write of ${what}`);
          await refused("invalid_path", () => storage.delete(path), `delete of ${what}`);
        }
        same(await allPaths(storage), [], "files");
      },
    },
    {
      name: "keeps raw control characters out of its messages",
      run: async (storage) => {
        const error = await refused("invalid_path", () => storage.read("a\0b\u202ec"), "read");
        holds(!/[\u0000-\u001f\u202a-\u202e]/.test(error.message), `the message holds a raw control character: ${JSON.stringify(error.message)}`);
      },
    },
    {
      name: "takes a path, a segment and a depth at the limit",
      needs: ["writing", "longest paths"],
      run: async (storage) => {
        for (const path of [long(MAX_PATH_BYTES), long(MAX_PATH_BYTES - 1), "s".repeat(MAX_SEGMENT_BYTES), deep(MAX_PATH_SEGMENTS)]) {
          await put(storage, path, "x");
          same(await textAt(storage, path), "x", `content of a path of ${bytesOf(path).length} bytes`);
          holds((await allPaths(storage)).includes(path), "it is listed");
          await storage.delete(path);
        }
      },
    },
    {
      name: "takes every legal name as it is: %, _, quotes, brackets, __proto__, emoji, both Unicode forms",
      needs: ["writing"],
      run: async (storage) => {
        for (const path of ODD) await put(storage, path, `content of ${path}`);
        same([...(await allPaths(storage))].sort(), [...ODD].sort(), "listing");
        for (const path of ODD) {
          same(await textAt(storage, path), `content of ${path}`, path);
          same((await storage.stat(path))?.kind, "file", `stat of ${path}`);
          same(
            (await storage.list({ prefix: path })).map((info) => info.path),
            [path],
            `list below ${path}`,
          );
        }
        for (const path of ODD) await storage.delete(path);
        same(await allPaths(storage), [], "files left");
      },
    },
    {
      name: "answers not_found for names every object has",
      run: async (storage) => {
        for (const path of ["__proto__", "constructor", "toString", "valueOf"]) {
          await refused("not_found", () => storage.read(path), path);
          same(await storage.stat(path), undefined, `stat of ${path}`);
          same(await storage.ls(path), [], `ls of ${path}`);
        }
      },
    },
  ],
};
