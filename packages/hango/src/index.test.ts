import { describe, expect, it } from "vitest";
import {
  createFileSystem,
  decodeText,
  defineStorage,
  isShown,
  matchGlob,
  matchLines,
  memoryStorage,
  notText,
  parseGlob,
  parsePattern,
  type GlobQuery,
  type GrepHit,
  type GrepQuery,
  type Storage,
} from "./index.ts";

/** A storage as an outsider writes it: with nothing but the root entry. It is for storages whose every file is below the root asked for. */
function outside(): Storage {
  const { list, read, write, delete: remove } = memoryStorage();
  const pathsOf = async ({ filters }: Pick<GlobQuery, "filters">): Promise<readonly string[]> =>
    (await list()).map(({ path }) => path).filter((path) => isShown(path, filters));

  async function grep(query: GrepQuery): Promise<readonly GrepHit[]> {
    const hits: GrepHit[] = [];
    for (const path of await pathsOf(query)) {
      const text = decodeText((await read(path)).bytes);
      if (text === undefined) throw notText(path);
      const found = matchLines(query.pattern, text, { limit: query.limit - hits.length });
      let step = found.next();
      while (step.done !== true) step = found.next();
      for (const { line, column } of step.value) hits.push({ path, line, column, text: text.split("\n")[line - 1] ?? "" });
    }
    return hits;
  }

  return defineStorage({
    name: "outside",
    list,
    read,
    write,
    delete: remove,
    glob: async (query) => (await pathsOf(query)).filter((path) => matchGlob(query.pattern, path)).slice(0, query.limit),
    grep,
  });
}

describe("the root entry", () => {
  it('has what a glob and a grep of one\'s own are made of: "the query carries a pattern that nothing exported can read"', async () => {
    const storage = outside();
    const fs = createFileSystem(storage);
    await fs.write("/docs/a.md", "one\nhit\n");
    await fs.write("/x.txt", "hit");
    expect((await fs.glob("*.md")).paths).toEqual(["/docs/a.md"]);
    expect((await fs.grep("h.t$")).matches.map(({ path, line }) => [path, line])).toEqual([
      ["/docs/a.md", 2],
      ["/x.txt", 1],
    ]);
    const filters = [{ hide: ["docs/"], show: [] }];
    expect(await storage.glob({ pattern: parseGlob("**"), root: "", limit: 9, filters })).toEqual(["x.txt"]);
    expect(await storage.grep({ pattern: parsePattern("hit"), root: "", context: 0, limit: 9, filters })).toHaveLength(1);
    expect(notText("x.txt")).toMatchObject({ code: "not_text" });
  });
});
