import type { ChangeStep, PublicCase } from "./case.ts";

const edit = (path: string, old_string: string, new_string: string): ChangeStep => ({ tool: "edit_file", args: { path, old_string, new_string } });
const write = (path: string, content: string): ChangeStep => ({ tool: "write_file", args: { path, content } });
const remove = (path: string, recursive = false): ChangeStep => ({ tool: "delete_file", args: { path, ...(recursive ? { recursive } : {}) } });
const twice = <T extends ChangeStep>(step: T): T => ({ ...step, error: "duplicate_mutation" });

export const concurrencyCases: readonly PublicCase[] = [
  {
    name: "refuses the second change of a path in one batch, in call order",
    source: "earendil-works/pi#2327, vybestack/llxprt-code#3239, netease-lcap/wave-agent#1256",
    files: { "/r.txt": "50\n75\n", "/s.txt": "1" },
    steps: [
      { batch: [edit("/r.txt", "50", "FIFTY"), twice(edit("/r.txt", "75", "SEVENTY-FIVE")), edit("/s.txt", "1", "2")] },
      { holds: { "/r.txt": "FIFTY\n75\n", "/s.txt": "2" } },
      edit("/r.txt", "75", "SEVENTY-FIVE"),
      { holds: { "/r.txt": "FIFTY\nSEVENTY-FIVE\n" } },
    ],
  },
  {
    name: "knows a path by any spelling",
    source: "earendil-works/pi#2351, fabro-sh/fabro#787",
    files: { "/r.txt": "a\nb\n" },
    steps: [{ batch: [edit("/r.txt", "a", "A"), twice(edit("/./r.txt", "b", "B")), twice(write("//r.txt", "Z"))] }, { holds: { "/r.txt": "A\nb\n" } }],
  },
  {
    name: "counts a delete as a change, and a directory with what is below it",
    source: "fabro-sh/fabro#787",
    files: { "/r.txt": "a", "/d/x": "1", "/d/y": "2" },
    steps: [
      { batch: [remove("/r.txt"), twice(write("/r.txt", "Z"))] },
      { holds: { "/r.txt": null } },
      { batch: [remove("/d", true), twice(edit("/d/x", "1", "2"))] },
      { list: [] },
    ],
  },
  {
    name: "lets distinct paths pass, and reads as often as one likes",
    source: "earendil-works/pi#2327",
    files: { "/a": "1", "/b": "1", "/ab": "1" },
    steps: [
      {
        batch: [
          edit("/a", "1", "2"),
          edit("/b", "1", "2"),
          edit("/ab", "1", "2"),
          { tool: "read_file", args: { path: "/a" } },
          { tool: "read_file", args: { path: "/a" } },
        ],
      },
      { holds: { "/a": "2", "/b": "2", "/ab": "2" } },
    ],
  },
  {
    name: "answers conflict, not a new file, when the file read was deleted",
    source: "paulcwarren/spring-content#1795",
    files: { "/a.txt": "x" },
    steps: [
      { tool: "read_file", args: { path: "/a.txt" }, as: "s1" },
      { remove: "/a.txt" },
      { ...write("/a.txt", "A"), as: "s1", error: "conflict" },
      { holds: { "/a.txt": null } },
    ],
  },
  {
    name: "answers conflict when the file was deleted and made again, with the same content",
    source: "paulcwarren/spring-content#1795",
    files: { "/a.txt": "x" },
    steps: [
      { tool: "read_file", args: { path: "/a.txt" } },
      { remove: "/a.txt" },
      { put: "/a.txt", text: "x" },
      { ...write("/a.txt", "A"), error: "conflict" },
      { ...edit("/a.txt", "x", "A"), error: "conflict" },
      { ...remove("/a.txt"), error: "conflict" },
      { holds: { "/a.txt": "x" } },
    ],
  },
  {
    name: "never overwrites silently: unread is refused, stale is a conflict, re-reading clears it",
    source: "getarcaneapp/arcane#3560",
    files: { "/a.txt": "one\n" },
    steps: [
      { ...write("/a.txt", "mine"), error: "already_exists", says: ["read it first"] },
      { tool: "read_file", args: { path: "/a.txt" } },
      { put: "/a.txt", text: "two\n" },
      { ...write("/a.txt", "mine"), error: "conflict", says: ["-one", "+two"] },
      { ...edit("/a.txt", "two", "mine"), error: "conflict" },
      { holds: { "/a.txt": "two\n" } },
      { tool: "read_file", args: { path: "/a.txt" } },
      write("/a.txt", "mine"),
      { holds: { "/a.txt": "mine" } },
    ],
  },
];
