import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deriveGlob } from "../../../contract/derive/glob.ts";
import type { PathFilter } from "../../../storage.ts";
import { parseGlob } from "../../../text/glob.ts";
import { bytesOf, ENGINES, openSubject, type Subject } from "../../../../../../test/support/postgres-subject.ts";
import { tablesOf } from "./tables.ts";

/** Found by their ends, by the range alone, by one expression, and here. */
const PATTERNS = [
  "**",
  "*.md",
  "**/*.md",
  "docs/**",
  "docs/**/*.md",
  "**/a.md",
  "a.md",
  "**/*.{md,ts}",
  "*.{a,bb,ccc,dddd}",
  "*.{a,bb,ccc,dddd,eeeee}",
  "*{%,_}",
  "*_.md",
  "**/😀",
  "*😀",
  "docs/*",
  "docs/?.md",
  "{docs,src}/**",
  `**/{${Array.from({ length: 40 }, (_, at) => `x${at}*y`).join(",")},*.md}`,
];
const NAMES = "a.md b.mdx .md a.ts xa.md % a_.md ab.md x😀 x.a x.bb x.ccc x.dddd x.eeeee x0zy";
const DEEP = "docs/a.md docs/b/a.md docs/😀 docs/deep/er/c.ts docs.md src/a.md src/docs/a.md secret/a.md Secret/x/a.md secret/shown.md";
const PATHS = `${NAMES} ${DEEP}`.split(" ");
const filters: readonly PathFilter[] = [{ hide: ["docs/b/"], hideAnyCase: ["secret/"], show: ["secret/shown.md"] }];

describe.each(ENGINES)("glob on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine);
  });
  afterAll(() => subject.close());

  it("answers like the derived form, at any root, behind filters, and cut to a limit", async () => {
    const storage = subject.storage.scope(subject.namespace());
    await storage.apply?.(PATHS.map((path) => ({ kind: "create", path, bytes: bytesOf("x") })));
    for (const source of PATTERNS) {
      const pattern = parseGlob(source);
      for (const root of ["", "docs", "nowhere"])
        for (const limit of [1, 3, 100])
          for (const filtered of [{}, { filters }]) {
            const query = { pattern, root, limit, ...filtered };
            expect(await storage.glob(query), JSON.stringify({ source, root, limit, ...filtered })).toEqual(await deriveGlob(storage.list, query));
          }
    }
  });
});

describe("glob of very many files on postgres", () => {
  it("goes on after the 50,000 paths of one answer", async () => {
    const subject = await openSubject("postgres", { maxConnections: 1 });
    const namespace = subject.namespace();
    await subject.query(
      `insert into ${tablesOf(subject.driver.schema).files} (id, tenant_id, agent_id, path, content, size_bytes, content_type) select gen_random_uuid(), $1, $2, '/d/' || lpad(n::text, 5, '0') || '.md', 'x', 1, 'text/plain' from generate_series(1, 50001) n`,
      [namespace.tenantId, namespace.agentId],
    );
    const storage = subject.storage.scope(namespace);
    for (const source of ["**", "*.md", "d/?????.md"])
      for (const [limit, last] of [
        [49_999, "d/49999.md"],
        [50_000, "d/50000.md"],
        [50_001, "d/50001.md"],
        [100_000, "d/50001.md"],
      ] as const) {
        const paths = await storage.glob({ pattern: parseGlob(source), root: "", limit });
        expect([source, paths.length, paths.at(-1)]).toEqual([source, Math.min(limit, 50_001), last]);
      }
    await subject.close();
  });
});
