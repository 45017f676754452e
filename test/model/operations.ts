/** How operations are drawn: changes often enough that there is something to find, odd arguments now and then. */
import * as fc from "fast-check";
import type { PathFilter } from "../../packages/hango/src/storage.ts";
import { content, contentType, needle, replacement, sessionText, text } from "./contents.ts";
import type { Door, FilesOperation, MutationPick, Operation, StorageOperation, ToolOperation, VersionPick } from "./operation.ts";
import { agentPath, agentRoot, cursor, machinePath, storagePath, storageRoot } from "./paths.ts";
import { globText, pattern } from "./patterns.ts";

const FILTERS: readonly (readonly PathFilter[])[] = [
  [],
  [{ hide: ["a/"], show: [] }],
  [{ hide: ["a/"], show: ["a/b"] }],
  [{ hide: ["a", "b/"], show: ["b/x.md"] }],
  [{ hide: ["/"], show: ["a/", "\u{1F600}/"] }],
  [{ hide: [], hideAnyCase: ["b", "MEMORIES/"], show: ["memories/d/"] }],
  [
    { hide: ["a/b/"], show: [] },
    { hide: ["/"], show: ["a/", "b"] },
  ],
];

const limit: fc.Arbitrary<number> = fc.constantFrom(0, 1, 1, 2, 2, 3, 5, 1_000, -1);
const count: fc.Arbitrary<number> = fc.constantFrom(1, 1, 2, 2, 3, 4, 4, 3, 2, 1, 0, 5);
const filters: fc.Arbitrary<readonly PathFilter[]> = fc.constantFrom(...FILTERS);
const version: fc.Arbitrary<VersionPick> = fc.constantFrom(
  "current",
  "current",
  "current",
  "current",
  "stale",
  "stale",
  "foreign",
  "absent",
  "absent",
  "malformed",
);
const offset: fc.Arbitrary<number> = fc.constantFrom(0, 1, 2, 2, 3, 4, 5, 7, -1);
const column: fc.Arbitrary<number> = fc.constantFrom(1, 2, 4, 13, 600, 0);
const query: fc.Arbitrary<string> = fc.constantFrom("foo", "FOO", "a", "caf\u00e9", "\n", "nowhere", "\u{1F600}", "");

type Keys<T> = { readonly [K in keyof T]: fc.Arbitrary<T[K]> };

/** A record of which the keys after `op` named in `required` are always there. */
function drawn<T extends { readonly op: string }>(op: T["op"], required: Partial<Keys<T>>, optional: Partial<Keys<T>> = {}): fc.Arbitrary<T> {
  const keys = { op: fc.constant(op), ...required, ...optional };
  return fc.record(keys as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: ["op", ...Object.keys(required)] }) as unknown as fc.Arbitrary<T>;
}

type Of<Union, Name extends string> = Extract<Union, { readonly op: Name }>;
type Weighted<T> = { readonly arbitrary: fc.Arbitrary<T>; readonly weight: number };

const mutation: fc.Arbitrary<MutationPick> = fc.record(
  { kind: fc.constantFrom("create", "create", "modify", "delete"), path: storagePath, content, contentType, ifVersion: version },
  { requiredKeys: ["kind", "path", "content"] },
);

const storageOperations: readonly Weighted<StorageOperation>[] = [
  { weight: 14, arbitrary: drawn<Of<StorageOperation, "put">>("put", { path: storagePath, content }, { contentType, ifVersion: version }) },
  { weight: 4, arbitrary: drawn<Of<StorageOperation, "remove">>("remove", { path: storagePath }, { ifVersion: version }) },
  { weight: 5, arbitrary: drawn<Of<StorageOperation, "apply">>("apply", { mutations: fc.array(mutation, { maxLength: 4 }) }) },
  { weight: 4, arbitrary: drawn<Of<StorageOperation, "list">>("list", {}, { prefix: storageRoot, after: cursor, limit, filters }) },
  { weight: 3, arbitrary: drawn<Of<StorageOperation, "read">>("read", { path: storagePath }) },
  { weight: 3, arbitrary: drawn<Of<StorageOperation, "stat">>("stat", { path: storageRoot }, { filters }) },
  { weight: 4, arbitrary: drawn<Of<StorageOperation, "ls">>("ls", { path: storageRoot }, { after: cursor, limit, filters }) },
  {
    weight: 3,
    arbitrary: drawn<Of<StorageOperation, "lines">>("lines", {
      path: storagePath,
      offset: fc.constantFrom(1, 1, 2, 3, 9),
      limit: fc.constantFrom(0, 1, 2, 100),
      column: fc.constantFrom(1, 1, 2, 9, 700),
      maxLineChars: fc.constantFrom(1, 3, 500),
    }),
  },
  {
    weight: 3,
    arbitrary: drawn<Of<StorageOperation, "glob">>("glob", { pattern: globText, path: storageRoot, limit: fc.constantFrom(0, 1, 2, 3, 1_000) }, { filters }),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        drawn<Of<StorageOperation, "grep">>(
          "grep",
          { path: storageRoot, context: fc.constantFrom(0, 0, 1, 2), limit: fc.constantFrom(0, 1, 2, 3, 1_000, 1_000) },
          { include: globText, filters },
        ),
        pattern,
      )
      .map(([asked, picked]) => ({ ...asked, ...picked })),
  },
  { weight: 2, arbitrary: drawn<Of<StorageOperation, "search">>("search", { query }, { prefix: storageRoot, after: cursor, limit, filters }) },
];

const filesOperations: readonly Weighted<FilesOperation>[] = [
  { weight: 6, arbitrary: drawn<Of<FilesOperation, "fs.write">>("fs.write", { path: agentPath, text: sessionText }, { contentType, ifVersion: version }) },
  {
    weight: 5,
    arbitrary: drawn<Of<FilesOperation, "fs.edit">>(
      "fs.edit",
      { path: agentPath, oldText: needle, newText: replacement },
      { replaceAll: fc.boolean(), ifVersion: version },
    ),
  },
  { weight: 3, arbitrary: drawn<Of<FilesOperation, "fs.delete">>("fs.delete", { path: agentPath }, { recursive: fc.boolean(), ifVersion: version }) },
  { weight: 3, arbitrary: drawn<Of<FilesOperation, "fs.ls">>("fs.ls", { path: agentRoot }, { after: cursor, limit: count }) },
  { weight: 2, arbitrary: drawn<Of<FilesOperation, "fs.stat">>("fs.stat", { path: agentRoot }) },
  { weight: 3, arbitrary: drawn<Of<FilesOperation, "fs.read">>("fs.read", { path: agentPath }, { offset, limit: count, column }) },
  { weight: 3, arbitrary: drawn<Of<FilesOperation, "fs.glob">>("fs.glob", { pattern: globText }, { root: agentRoot, maxCount: count }) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        drawn<Of<FilesOperation, "fs.grep">>("fs.grep", {}, { path: agentRoot, include: globText, context: fc.constantFrom(0, 1, 2, 20, 21), maxCount: count }),
        pattern,
      )
      .map(([asked, picked]) => ({ ...asked, ...picked })),
  },
];

const toolOperations: readonly Weighted<ToolOperation>[] = [
  { weight: 6, arbitrary: drawn<Of<ToolOperation, "tool.write_file">>("tool.write_file", { path: agentPath, content: sessionText }) },
  {
    weight: 5,
    arbitrary: drawn<Of<ToolOperation, "tool.edit_file">>(
      "tool.edit_file",
      { path: agentPath, oldText: needle, newText: replacement },
      { replaceAll: fc.boolean() },
    ),
  },
  { weight: 3, arbitrary: drawn<Of<ToolOperation, "tool.delete_file">>("tool.delete_file", { path: agentPath }, { recursive: fc.boolean() }) },
  { weight: 6, arbitrary: drawn<Of<ToolOperation, "tool.read_file">>("tool.read_file", { path: agentPath }, { offset, limit: count, column }) },
  { weight: 3, arbitrary: drawn<Of<ToolOperation, "tool.ls">>("tool.ls", {}, { path: agentRoot, after: cursor, limit: count }) },
  { weight: 2, arbitrary: drawn<Of<ToolOperation, "tool.glob">>("tool.glob", { pattern: globText }, { path: agentRoot }) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        drawn<Of<ToolOperation, "tool.grep">>(
          "tool.grep",
          {},
          {
            path: agentRoot,
            include: globText,
            mode: fc.constantFrom("content", "files_with_matches", "count"),
            context: fc.constantFrom(0, 1, 2),
            maxCount: count,
          },
        ),
        pattern,
      )
      .map(([asked, picked]) => ({ ...asked, ...picked })),
  },
  { weight: 1, arbitrary: drawn<Of<ToolOperation, "tool.search">>("tool.search", { query }) },
];

const anyDoor: fc.Arbitrary<Door> = fc.constantFrom("owner", "owner", "owner", "one", "one", "two", "two", "other", "operator", "visitor", "system");
const toolDoor: fc.Arbitrary<Door> = fc.constantFrom("one", "one", "one", "two", "two", "operator");

const at = (door: fc.Arbitrary<Door>, operations: fc.Arbitrary<StorageOperation | FilesOperation | ToolOperation>): fc.Arbitrary<Operation> =>
  fc.tuple(door, operations).map(([from, operation]) => ({ door: from, ...operation }));

/** What the system writes: the only files of its own. */
const systemPut: fc.Arbitrary<Operation> = at(
  fc.constant("system"),
  drawn<Of<StorageOperation, "put">>("put", { path: machinePath, content: text }, { ifVersion: version }),
);

export interface Drawing {
  /** Leaves out what the storage does not have. */
  readonly search: boolean;
}

export function operation({ search }: Drawing): fc.Arbitrary<Operation> {
  const having = <T extends { readonly op: string }>(all: readonly Weighted<T>[]): fc.Arbitrary<T> =>
    fc.oneof(...(search ? all : all.filter(({ arbitrary }) => !isSearch(arbitrary))));
  return fc.oneof(
    { arbitrary: at(anyDoor, having<StorageOperation>(storageOperations)), weight: 10 },
    { arbitrary: at(anyDoor, having<FilesOperation>(filesOperations)), weight: 7 },
    { arbitrary: at(toolDoor, having<ToolOperation>(toolOperations)), weight: 8 },
    { arbitrary: systemPut, weight: 1 },
  );
}

const searches: ReadonlySet<unknown> = new Set([storageOperations.at(-1)?.arbitrary, toolOperations.at(-1)?.arbitrary]);

function isSearch(arbitrary: unknown): boolean {
  return searches.has(arbitrary);
}
