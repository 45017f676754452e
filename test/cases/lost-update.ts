import type { ChangeStep, PublicCase, ReadStep } from "./case.ts";

const edit = (path: string, old_string: string, new_string: string): ChangeStep => ({ tool: "edit_file", args: { path, old_string, new_string } });
const write = (path: string, content: string): ChangeStep => ({ tool: "write_file", args: { path, content } });
const read = (path: string, more: Readonly<Record<string, unknown>> = {}): ReadStep => ({ tool: "read_file", args: { path, ...more } });
const remove = (path: string, recursive = false): ChangeStep => ({ tool: "delete_file", args: { path, ...(recursive ? { recursive } : {}) } });
const as = <T extends ChangeStep | ReadStep>(name: string, step: T): T => ({ ...step, as: name });
const twice = <T extends ChangeStep>(step: T): T => ({ ...step, error: "duplicate_mutation" });

/** What a session has seen, and whose change is never lost. */
export const lostUpdateCases: readonly PublicCase[] = [
  {
    name: "keeps the first of two sessions that read the same and write in turn",
    source: "openclaw/openclaw#146096, adolfousier/opencrabs#954, anthropics/claude-code#43138",
    files: { "/notes.md": "seed\n" },
    steps: [
      as("s1", read("/notes.md")),
      as("s2", read("/notes.md")),
      as("s1", write("/notes.md", "seed\nnote-A\n")),
      { ...as("s2", write("/notes.md", "seed\nnote-B\n")), error: "conflict", says: ["+note-A"] },
      { ...as("s2", write("/notes.md", "seed\nnote-B\n")), error: "conflict" },
      { holds: { "/notes.md": "seed\nnote-A\n" } },
      as("s2", read("/notes.md")),
      as("s2", write("/notes.md", "seed\nnote-A\nnote-B\n")),
      { ...as("s1", edit("/notes.md", "seed", "x")), error: "conflict" },
    ],
  },
  {
    name: "lets a session go on from its own changes without another read",
    source: "MoonshotAI/kimi-code#3096, NousResearch/hermes-agent#91238",
    files: { "/f": "a b c" },
    steps: [
      edit("/f", "a", "1"),
      edit("/f", "b", "2"),
      write("/f", "whole"),
      edit("/f", "whole", "w"),
      write("/f", "w2"),
      remove("/f"),
      write("/f", "new"),
      { holds: { "/f": "new" } },
    ],
  },
  {
    name: "takes a read of a part for a read, and neither grep nor a refusal for one",
    source: "anomalyco/opencode#35409, NousResearch/hermes-agent#91238",
    files: { "/part": "1\n2\n3\n", "/unread": "old" },
    steps: [
      read("/part", { limit: 1 }),
      write("/part", "short"),
      { tool: "grep", args: { pattern: "old" }, paths: ["/unread"] },
      { tool: "ls", args: { path: "/" }, names: ["part", "unread"] },
      { ...write("/unread", "new"), error: "already_exists", says: ["read it first"] },
      { ...write("/unread", "new"), error: "already_exists" },
      { holds: { "/part": "short", "/unread": "old" } },
    ],
  },
  {
    name: "refuses to write over an unread file that is empty or already holds the same",
    source: "anomalyco/opencode#35409",
    files: { "/empty": "", "/same": "x" },
    steps: [
      { ...write("/empty", "x"), error: "already_exists" },
      { ...write("/same", "x"), error: "already_exists" },
    ],
    unchanged: ["/empty", "/same"],
  },
  {
    name: "takes a rewrite with the same bytes for a change",
    source: "ClickHouse/ClickHouse#112587",
    files: { "/f": "x" },
    steps: [read("/f"), { put: "/f", text: "x" }, { ...write("/f", "A"), error: "conflict" }, { holds: { "/f": "x" } }],
  },
  {
    name: "makes a deleted file anew only after a read that did not find it",
    source: "paulcwarren/spring-content#1795",
    files: { "/f": "x" },
    steps: [
      read("/f"),
      { remove: "/f" },
      { ...write("/f", "A"), error: "conflict" },
      { ...write("/f", "A"), error: "conflict" },
      { ...edit("/f", "x", "y"), error: ["not_found", "conflict"] },
      { ...read("/f"), error: "not_found" },
      write("/f", "A"),
      { holds: { "/f": "A" } },
    ],
  },
  {
    name: "deletes no directory over a change it has not seen",
    source: "getarcaneapp/arcane#3560",
    files: { "/d/x": "1", "/d/y": "1" },
    steps: [
      read("/d/x"),
      { put: "/d/x", text: "2" },
      { ...remove("/d", true), error: "conflict", says: ["/d/x"] },
      { list: ["/d/x", "/d/y"] },
      read("/d/x"),
      remove("/d", true),
      { list: [] },
    ],
  },
  {
    name: "lets a call that never named a legal path or text hold no path in its batch",
    source: "earendil-works/pi#2327",
    files: { "/r": "a" },
    steps: [
      {
        batch: [
          { ...edit("r", "a", "b"), error: "invalid_path" },
          { tool: "edit_file", args: { path: "/r" }, error: "invalid_argument" },
          edit("/r", "a", "c"),
        ],
      },
      { holds: { "/r": "c" } },
    ],
  },
  {
    name: "keeps apart in a batch what are two paths: by case, by Unicode form, by a longer name",
    source: "fabro-sh/fabro#787",
    files: { "/r": "a", "/R": "a", "/r.x": "a", "/caf\u00e9": "a", "/cafe\u0301": "a", "/__proto__": "a" },
    steps: [
      {
        batch: [
          ...["/r", "/R", "/r.x", "/caf\u00e9", "/cafe\u0301", "/__proto__"].map((path) => edit(path, "a", "b")),
          twice(edit("/r/", "b", "c")),
          twice(edit("/__proto__", "b", "c")),
        ],
      },
      { holds: { "/r": "b", "/R": "b", "/r.x": "b", "/caf\u00e9": "b", "/cafe\u0301": "b", "/__proto__": "b" } },
    ],
  },
  {
    name: "counts a directory with what is below it, whichever comes first",
    source: "fabro-sh/fabro#787",
    files: { "/d/x": "a", "/d/y": "b", "/e/x": "a" },
    steps: [
      { batch: [edit("/d/x", "a", "A"), twice(remove("/d", true))] },
      { batch: [remove("/e", true), twice(write("/e/z", "n"))] },
      { list: ["/d/x", "/d/y"] },
    ],
  },
];
