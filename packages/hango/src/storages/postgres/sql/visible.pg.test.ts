import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deriveGlob } from "../../../contract/derive/glob.ts";
import { deriveLs } from "../../../contract/derive/ls.ts";
import { deriveStat } from "../../../contract/derive/stat.ts";
import { isShown } from "../../../path/filter.ts";
import { comparePaths } from "../../../path/path.ts";
import type { Entry, FilePath, PathFilter, Storage } from "../../../storage.ts";
import { parseGlob } from "../../../text/glob.ts";
import { createPrng, type Prng } from "../../../text/pattern/fuzz-support.ts";
import { parsePattern } from "../../../text/pattern/pattern.ts";
import { bytesOf, ENGINES, openSubject, type Subject } from "../../../../../../test/support/postgres-subject.ts";
import { dumpFiles } from "../load/dump.ts";
import { globPaths } from "./glob.ts";
import { grepFiles } from "./grep-files.ts";
import { listFiles } from "./list.ts";
import { lsDirectory } from "./ls.ts";
import type { Scope } from "./scope.ts";
import { statPath } from "./stat.ts";
import { bind, numbered } from "./statement.ts";
import { FEW_ENTRIES, filterShape, visible, visibleValues } from "./visible.ts";

const ROUNDS = 60;
const SEED = 20_261_201;
/** What stands around "/" in byte order, what differs by case, and what UTF-16 would order otherwise. */
const NAMES = ["a", "A", "b", "a-b", "a.b", "a0", "é", "É", "\uff61", "😀", "%_", "!"];
const LENGTHS = [0, 1, 2, FEW_ENTRIES, FEW_ENTRIES + 1, 40];

/** Matches nothing here, and makes every list long. */
const PADDING: readonly string[] = Array.from({ length: 2 * FEW_ENTRIES + 2 }, (_, index) => (index % 2 === 0 ? `padding/${index}` : `padding/${index}/`));

function randomPath(prng: Prng): string {
  return Array.from({ length: 1 + prng.below(4) }, () => prng.pick(NAMES)).join("/");
}

function randomEntries(prng: Prng): readonly string[] {
  const entries = Array.from({ length: prng.pick(LENGTHS) }, () => randomPath(prng) + (prng.chance(0.5) ? "/" : ""));
  return prng.chance(0.05) ? [...entries, "/"] : entries;
}

function randomFilters(prng: Prng): readonly PathFilter[] {
  return Array.from({ length: 1 + prng.below(2) }, () => ({
    hide: randomEntries(prng),
    show: randomEntries(prng),
    ...(prng.chance(0.5) ? { hideAnyCase: randomEntries(prng) } : {}),
  }));
}

function padded(filters: readonly PathFilter[]): readonly PathFilter[] {
  return filters.map(({ hide, show, hideAnyCase = [] }) => ({
    hide: [...hide, ...PADDING],
    show: [...PADDING, ...show],
    hideAnyCase: [...PADDING.map((entry) => entry.toUpperCase()), ...hideAnyCase],
  }));
}

/** What a filter shows of the paths, decided by the statement alone. */
async function shownBy(subject: Subject, filters: readonly PathFilter[], paths: readonly string[]): Promise<readonly string[]> {
  const sql = numbered(`select p from unnest($paths::text[]) with ordinality as t(p, n) where ${visible(filterShape(filters), "p")} order by n`);
  const { text, values } = bind(sql, { ...visibleValues(filters), paths: paths.map((path) => `/${path}`) });
  return (await subject.query(text, values)).map((row) => String(row["p"]).slice(1));
}

const nameOf = (entry: Entry | undefined): string | undefined => (entry === undefined ? undefined : entry.kind === "file" ? entry.info.path : `${entry.path}/`);

it("A list is long from 9 entries on, whichever of a filter's it is", () => {
  const list = (length: number): readonly string[] => Array.from({ length }, (_, index) => `d/${index}/`);
  const none = { hide: [], show: [] };
  expect([[], [none], [none, none]].map(filterShape)).toEqual(["0", "1", "2"]);
  for (const part of ["hide", "show", "hideAnyCase"])
    expect(
      [8, 9].map((length) => filterShape([none, { ...none, [part]: list(length) }])),
      part,
    ).toEqual(["2", "2+"]);
});

describe.each(ENGINES)("filters in SQL on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine);
  });
  afterAll(() => subject.close());

  it("show what isShown shows, with lists of every length, short, long and mixed", async () => {
    const seen = new Set<string>();
    for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
      const prng = createPrng(seed);
      const given = randomFilters(prng);
      const paths = Array.from({ length: 200 }, () => randomPath(prng));
      for (const filters of [given, padded(given)]) {
        seen.add(filterShape(filters));
        expect(await shownBy(subject, filters, paths), `seed ${seed}, ${filterShape(filters)}`).toEqual(paths.filter((path) => isShown(path, filters)));
      }
    }
    expect([...seen].toSorted()).toEqual(["1", "1+", "2", "2+"]);
  });

  it("show everything but the one entry of 1,000 that matches, wherever in the list it stands", async () => {
    const hide = Array.from({ length: 500 }, (_, index) => [`d/${index}/`, `d/${index}`]).flat();
    for (const entry of ["0", "7", "499", "9", "99"])
      for (const path of [`d/${entry}`, `d/${entry}/x/y`, `D/${entry}/x`]) {
        const paths = ["a", path, `${path}z/but`, "d", "z"];
        for (const filter of [
          { hide, show: [] },
          { hide: [], show: [], hideAnyCase: hide.map((each) => each.toUpperCase()) },
          { hide: ["/"], show: hide },
        ])
          expect(await shownBy(subject, [filter], paths), path).toEqual(paths.filter((each) => isShown(each, [filter])));
      }
  });

  it("make every statement answer like the derived form, also before the answers are filtered again", async () => {
    const namespace = subject.namespace();
    const scope: Scope = { driver: subject.driver, namespace };
    const prng = createPrng(SEED);
    const paths = [...new Set(Array.from({ length: 400 }, () => `${randomPath(prng)}.md`))].toSorted(comparePaths);
    await subject.storage.scope(namespace).apply?.(paths.map((path) => ({ kind: "create", path, bytes: bytesOf("text\n") })));
    const list: Storage["list"] = subject.storage.scope(namespace).list;
    for (let round = 0; round < ROUNDS / 2; round++) {
      const given = randomFilters(prng);
      const entries = paths.filter(() => prng.chance(0.1));
      const [first] = given;
      const own = first === undefined ? given : [{ ...first, hide: [...first.hide, ...entries, ...(prng.chance(0.3) ? ["/"] : [])] }, ...given.slice(1)];
      for (const filters of [own, padded(own)]) {
        const about = `round ${round}, ${filterShape(filters)}`;
        const shown = paths.filter((path) => isShown(path, filters));
        const limit = 5000;
        expect(
          (await listFiles(scope, { filters })).map(({ path }) => path),
          about,
        ).toEqual(shown);
        const dumped: string[] = [];
        for await (const { info } of dumpFiles(scope, { filters })) dumped.push(info.path);
        expect(dumped, about).toEqual(shown);
        expect(await globPaths(scope, { pattern: parseGlob("**/*.md"), root: "", limit, filters }), about).toEqual(
          await deriveGlob(list, { pattern: parseGlob("**/*.md"), root: "", limit, filters }),
        );
        const hits = await grepFiles(scope, { pattern: parsePattern("text"), root: "", context: 0, limit, filters });
        expect(
          hits.map(({ path }) => path),
          about,
        ).toEqual(shown);
        for (const directory of ["", "a", "A", "a-b", "😀/a", "nowhere"] as (FilePath | "")[]) {
          const walked = await lsDirectory(scope, directory, { filters });
          expect(walked.map(nameOf), `${about}, ls ${directory}`).toEqual((await deriveLs(list, directory, { filters })).map(nameOf));
          if (directory === "") continue;
          const below = shown.filter((path) => path.startsWith(`${directory}/`));
          const after = below[prng.below(below.length || 1)] ?? "";
          expect(
            (await listFiles(scope, { filters, prefix: directory })).map(({ path }) => path),
            `${about}, list ${directory}`,
          ).toEqual(below);
          expect(
            (await listFiles(scope, { filters, prefix: directory, after })).map(({ path }) => path),
            `${about}, list ${directory}`,
          ).toEqual(below.filter((path) => comparePaths(path, after) > 0));
          expect(await globPaths(scope, { pattern: parseGlob("**/*.md"), root: directory, limit, filters }), `${about}, glob ${directory}`).toEqual(below);
          const found = await grepFiles(scope, { pattern: parsePattern("text"), root: directory, context: 0, limit, filters });
          expect(
            found.map(({ path }) => path),
            `${about}, grep ${directory}`,
          ).toEqual(below);
          expect(nameOf(await statPath(scope, directory, { filters })), `${about}, stat ${directory}`).toEqual(
            nameOf(await deriveStat(list, directory, { filters })),
          );
        }
      }
    }
  });
});
