import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deriveGrep } from "../../../contract/derive/grep.ts";
import { drain } from "../../../contract/drain.ts";
import { isHangoError } from "../../../errors.ts";
import { MAX_SKIPPED } from "../../../limits.ts";
import type { GrepHit, GrepQuery, Storage } from "../../../storage.ts";
import { differentialCase } from "../../../testing/differential.ts";
import { parseGlob } from "../../../text/glob.ts";
import { createPrng, randomPattern, randomText } from "../../../text/pattern/fuzz-support.ts";
import { matchLines } from "../../../text/pattern/match-lines.ts";
import { type Pattern, parsePattern } from "../../../text/pattern/pattern.ts";
import { bytesOf, ENGINES, openSubject, type Subject } from "../../../../../../test/support/postgres-subject.ts";

const PAIRS = Number(process.env["HANGO_FUZZ_PAIRS"] ?? 2_000);
const SEED = Number(process.env["HANGO_FUZZ_SEED"] ?? 20_260_802);
const BINARY = Uint8Array.of(0, 0xff);

function parse(source: string, ignoreCase: boolean): Pattern | undefined {
  try {
    return parsePattern(source, { ignoreCase });
  } catch (error) {
    if (isHangoError(error, "invalid_pattern") || isHangoError(error, "invalid_argument")) return undefined;
    throw error;
  }
}

function ask(storage: Storage, source: string, query: Partial<GrepQuery> = {}): Promise<readonly GrepHit[]> {
  return storage.grep({ pattern: parsePattern(source), root: "", context: 0, limit: 1000, ...query });
}

describe.each(ENGINES)("grep on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine);
  });
  afterAll(() => subject.close());
  const fresh = (): Storage => subject.storage.scope(subject.namespace());
  const put = (storage: Storage, files: ReadonlyMap<string, string | Uint8Array>): Promise<unknown> =>
    storage.apply?.(
      [...files].map(([path, content]) => ({ kind: "create", path, bytes: typeof content === "string" ? bytesOf(content) : content }) as const),
    ) ?? Promise.resolve();

  it("finds the lines and columns that our own machine finds, in random patterns and texts", async () => {
    const contents = 20;
    for (let pairs = 0, seed = SEED; pairs < PAIRS; seed++) {
      const prng = createPrng(seed);
      const source = randomPattern(prng);
      const pattern = parse(source, prng.chance(0.15));
      if (pattern === undefined) continue;
      const storage = fresh();
      const texts = Array.from({ length: contents }, () => randomText(prng, pattern.tree));
      await put(storage, new Map(texts.map((text, at) => [`f${String(at).padStart(2, "0")}`, text])));
      const found = await storage.grep({ pattern, root: "", context: 0, limit: 10_000 });
      const expected: unknown[] = [];
      for (const [at, text] of texts.entries()) {
        const lines = await drain(matchLines(pattern, text, { limit: 10_000 }));
        expected.push(...lines.map(({ line, column }) => [`f${String(at).padStart(2, "0")}`, line, column]));
      }
      expect(
        found.map(({ path, line, column }) => [path, line, column]),
        `seed ${seed}: ${JSON.stringify(source)}`,
      ).toEqual(expected);
      pairs += contents;
    }
  });

  it("answers like the derived form on random trees, with ls, stat, glob and lines", async () => {
    for (let seed = SEED; seed < SEED + 8; seed++) {
      const { run, files = {} } = differentialCase(seed);
      const storage = fresh();
      await put(storage, new Map(Object.entries(files)));
      await run(storage);
    }
  });

  it("goes on over page bounds: 700 files, hits in the first, the last and at the seams", async () => {
    const storage = fresh();
    await put(storage, new Map(Array.from({ length: 700 }, (_, at) => [`f${String(at).padStart(4, "0")}`, `n${at}\nhit\n`])));
    const places = [0, 255, 256, 257, 511, 512, 513, 699];
    expect((await ask(storage, `^n(${places.join("|")})$`)).map(({ path }) => Number(path.slice(1)))).toEqual(places);
    for (const limit of [699, 700, 701]) expect(await ask(storage, "hit", { limit })).toHaveLength(Math.min(limit, 700));
    expect(
      (await ask(storage, "hit", { limit: 5, filters: [{ hide: Array.from({ length: 300 }, (_, at) => `f${String(at).padStart(4, "0")}`), show: [] }] })).map(
        ({ path }) => path,
      ),
    ).toEqual(["f0300", "f0301", "f0302", "f0303", "f0304"]);
  });

  it("names binary files before the last hit, at most a hundred, and they never use up the hits", async () => {
    const storage = fresh();
    const names = (kind: string, count: number): readonly string[] => Array.from({ length: count }, (_, at) => `${kind}${String(at).padStart(3, "0")}`);
    await put(
      storage,
      new Map<string, string | Uint8Array>([
        ...names("b", 260).map((name): [string, Uint8Array] => [name, BINARY]),
        ["a", "hit"],
        ["b100x", "hit\nhit\n"],
        ["c", "hit"],
        ["z", BINARY],
      ]),
    );
    const skipped: string[] = [];
    const onSkip = (path: string, reason: string): void => void skipped.push(`${path} ${reason}`);
    expect((await ask(storage, "hit", { onSkip })).map(({ path, line }) => `${path}:${line}`)).toEqual(["a:1", "b100x:1", "b100x:2", "c:1"]);
    expect(skipped).toEqual(names("b", MAX_SKIPPED).map((name) => `${name} binary`));
    skipped.length = 0;
    expect(await ask(storage, "hit", { onSkip, limit: 1 })).toHaveLength(1);
    expect(skipped).toEqual([]);
    expect(await ask(storage, "hit", { limit: 4 })).toHaveLength(4);
    expect(
      await ask(storage, "hit", {
        onSkip,
        limit: 4,
        filters: [
          { hide: ["b"], show: [] },
          { hide: names("b", 259), show: [] },
        ],
      }),
    ).toHaveLength(4);
    expect(skipped).toEqual(["b259 binary"]);
  });

  it("skips what is larger than the query's own limit, which was the process's for every session", async () => {
    const storage = fresh();
    await put(
      storage,
      new Map([
        ["large", "hit and more"],
        ["small", "hit"],
      ]),
    );
    const skipped: string[] = [];
    const hits = await ask(storage, "hit", { maxBytes: 5, onSkip: (path, reason) => void skipped.push(`${path} ${reason}`) });
    expect([hits.map(({ path }) => path), skipped]).toEqual([["small"], ["large larger than 5 bytes"]]);
    expect(await ask(storage, "hit", { maxBytes: 12 })).toHaveLength(2);
  });

  it("takes an include too long to compile, matched in JavaScript", async () => {
    const storage = fresh();
    await put(
      storage,
      new Map<string, string | Uint8Array>([
        ["a.ts", "hit"],
        ["d/b.ts", "hit"],
        ["d/b.js", "hit"],
        ["d/c.ts", BINARY],
      ]),
    );
    const words = Array.from({ length: 8 }, (_, at) => `${at}${"x".repeat(20)}`).join(",");
    const include = parseGlob(`{*.ts,{${words}}{a,b,c,d,e,f,g}*${"y".repeat(100)}}`);
    const skipped: string[] = [];
    const query = { include, onSkip: (path: string): void => void skipped.push(path) };
    expect((await ask(storage, "hit", query)).map(({ path }) => path)).toEqual(["a.ts", "d/b.ts"]);
    expect(skipped).toEqual(["d/c.ts"]);
    expect((await ask(storage, "hit", { include, root: "d" })).map(({ path }) => path)).toEqual(["d/b.ts"]);
    expect((await ask(storage, "hit", { include, root: "d/b.ts" })).map(({ path }) => path)).toEqual(["d/b.ts"]);
    expect(await ask(storage, "hit", { include, root: "d/b.js" })).toEqual([]);
    expect(await storage.glob({ pattern: include, root: "", limit: 2 })).toEqual(["a.ts", "d/b.ts"]);
    expect(await storage.glob({ pattern: include, root: "d", limit: 9 })).toEqual(["d/b.ts", "d/c.ts"]);
  });

  it("looks for the text that a pattern requires, be it one character, where lines are as they are shown", async () => {
    const storage = fresh();
    await put(
      storage,
      new Map([
        ["crlf", "\ufeffa_1\r\nb_2\r\n_\r\n\r\na1"],
        ["none", "a1\nb2"],
        ["last", "x\ny_3"],
        ["empty", ""],
      ]),
    );
    for (const source of ["_[0-9]", "^a_[0-9]$", "[ab]_", "_$", "^_?$", "(?:a|b)_(?:1|2)", "[a-z]+_[0-9]{1,}", "_", "\\b_3", "(?i)A_1"]) {
      const query: GrepQuery = { pattern: parsePattern(source), root: "", context: 1, limit: 100 };
      expect(await storage.grep(query), source).toEqual(await deriveGrep(storage, query));
    }
  });

  it("applies the session's filter before the limit", async () => {
    const storage = fresh();
    const machine = Array.from({ length: 50 }, (_, at): [string, string] => [
      `large_tool_results/5c0b7ad4-0000-4000-8000-0000000000${String(at + 10)}/t`,
      "hit",
    ]);
    await put(storage, new Map([...machine, ["zz", "hit"]]));
    const filters = [{ hide: [], hideAnyCase: ["large_tool_results/"], show: [`${machine[20]![0].slice(0, -1)}`] }];
    expect((await ask(storage, "hit", { filters, limit: 2 })).map(({ path }) => path)).toEqual([machine[20]![0], "zz"]);
    expect(await storage.glob({ pattern: parseGlob("**"), root: "", limit: 2, filters })).toEqual([machine[20]![0], "zz"]);
    expect((await storage.list({ limit: 2, filters })).map(({ path }) => path)).toEqual([machine[20]![0], "zz"]);
    expect((await storage.ls("large_tool_results", { filters })).length).toBe(1);
  });

  it("cuts windows and context like the derived form: 499, 500 and 501 characters, matches near both ends", async () => {
    const storage = fresh();
    const line = (length: number, at: number): string => `${"\u{1F600}".repeat(at)}hit${"é".repeat(length - at - 3)}`;
    await put(storage, new Map([["f", [499, 500, 501, 2000].flatMap((length) => [0, 99, 100, 101, length - 3].map((at) => line(length, at))).join("\r\n")]]));
    for (const context of [0, 1, 20]) {
      const query: GrepQuery = { pattern: parsePattern("hit"), root: "", context, limit: 100 };
      expect(await storage.grep(query)).toEqual(await deriveGrep(storage, query));
    }
  });
});

describe("grep with context on postgres", () => {
  it("answers on a megabyte of short lines, where finding the end of the lines for each hit ran over the time", async () => {
    const subject = await openSubject("postgres");
    const storage = subject.storage.scope(subject.namespace());
    await storage.write("short", bytesOf("x\n".repeat(512 * 1024)));
    const hits = await ask(storage, "x", { context: 2 });
    expect([hits.length, hits[0], hits.at(-1)]).toEqual([
      1000,
      { path: "short", line: 1, column: 1, text: "x", before: [], after: ["x", "x"] },
      { path: "short", line: 1000, column: 1, text: "x", before: ["x", "x"], after: ["x", "x"] },
    ]);
    await subject.close();
  });
});

describe("grep under attack on postgres", () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject("postgres");
  });
  afterAll(() => subject.close());

  it("answers timeout for a pattern that makes a new state at each character, and leaves the pool usable", async () => {
    const storage = subject.storage.scope(subject.namespace());
    const prng = createPrng(7);
    const hostile = Array.from({ length: 1024 * 1024 }, () => (prng.chance(0.5) ? "a" : "b")).join("");
    for (let file = 0; file < 6; file++) await storage.write(`f${file}`, bytesOf(hostile));
    await expect(ask(storage, "a.{60}b.{60}a.{60}b.{60}a.{60}z")).rejects.toMatchObject({ code: "timeout" });
    expect(await ask(storage, "zzz")).toEqual([]);
    expect(await ask(storage, "a".repeat(200), {})).toEqual([]);
  });
});
