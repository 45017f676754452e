/** Operations on many files. */
import { COMMON, RARE, REGEX } from "./corpus.ts";
import { type Operation, counter, ownFiles, seenOf, small, textFor, versionOf } from "./operation.ts";

const MATCHES = 1_000;
const APPLIED = 100;

const capped = (rows: readonly unknown[]): number => Math.min(rows.length, MATCHES);

export const scans: readonly Operation[] = [
  {
    name: "ls of 20 files",
    kind: "point",
    bare:
      ({ bare }) =>
      async () =>
        (await bare.ls("/src/p0/m3")).length,
    library:
      (_world, { fs }) =>
      async () =>
        (await fs.ls("/src/p0/m3")).length,
  },
  {
    name: "ls of directories",
    kind: "point",
    bare:
      ({ bare }) =>
      async () =>
        (await bare.ls("/src/p0")).length,
    library:
      (_world, { fs }) =>
      async () =>
        (await fs.ls("/src/p0")).length,
  },
  {
    name: "glob **/*.md",
    kind: "scan",
    bare:
      ({ bare }) =>
      async () =>
        capped(await bare.glob(".md", MATCHES + 1)),
    library:
      (_world, { fs }) =>
      async () =>
        (await fs.glob("**/*.md")).paths.length,
  },
  {
    name: "grep rare",
    kind: "scan",
    bare:
      ({ bare }) =>
      async () =>
        capped(await bare.grepText(RARE, MATCHES + 1)),
    library:
      (_world, { fs }) =>
      async () =>
        (await fs.grep(RARE, { literal: true })).matches.length,
  },
  {
    name: "grep common",
    kind: "scan",
    bare:
      ({ bare }) =>
      async () =>
        capped(await bare.grepText(COMMON, MATCHES + 1)),
    library:
      (_world, { fs }) =>
      async () =>
        (await fs.grep(COMMON, { literal: true })).matches.length,
  },
  {
    name: "grep regex",
    kind: "scan",
    bare:
      ({ bare }) =>
      async () =>
        capped(await bare.grepRegex(`(?n)${REGEX}`, MATCHES + 1)),
    library:
      (_world, { fs }) =>
      async () =>
        (await fs.grep(REGEX)).matches.length,
  },
  {
    name: "apply of 100",
    kind: "scan",
    bare: async ({ bare }) => {
      const seen = await ownFiles(bare, "own-apply/bare", { count: APPLIED, text: small });
      const turn = counter();
      return async () => {
        const text = textFor(turn());
        const rows = await bare.updateAll([...seen].map(([path, known]) => ({ path, text, ...known })));
        for (const row of rows) seen.set(String(row["path"]), seenOf(row));
        return rows.length;
      };
    },
    library: async ({ bare }, { name, storage }) => {
      const own = await ownFiles(bare, `own-apply/${name}`, { count: APPLIED, text: small });
      const versions = new Map([...own].map(([path, seen]) => [path.slice(1), versionOf(seen)]));
      const turn = counter();
      return async () => {
        const bytes = Buffer.from(textFor(turn()));
        const infos = (await storage.apply?.([...versions].map(([path, ifVersion]) => ({ kind: "modify" as const, path, bytes, ifVersion })))) ?? [];
        for (const { path, version } of infos) versions.set(path, version);
        return infos.length;
      };
    },
  },
];
