/** Every operation of the storage, the files, the tools and the offload, as one list of things that can be interrupted. */
import type { ErrorCode } from "../../packages/hango/src/errors.ts";
import { createFileSystem } from "../../packages/hango/src/fs/create-file-system.ts";
import { openSession } from "../../packages/hango/src/session/session.ts";
import type { Session, ToolResult } from "../../packages/hango/src/session/vocabulary.ts";
import type { Storage } from "../../packages/hango/src/storage.ts";
import { encodeUtf8 } from "../../packages/hango/src/text/utf8.ts";
import { fileTools } from "../../packages/hango/src/tools/file-tools.ts";

export const SESSION_ID = "5e551000-0000-4000-8000-000000000001";

/** What every operation starts from. */
export const FILES: Readonly<Record<string, string>> = {
  "a.md": "one\ntwo\n",
  "d/x.md": "x\n",
  "d/y.md": "y\n",
  "memories/m.md": "kept\n",
};

export interface Operation {
  readonly name: string;
  /** Answers what came back; a tool's error comes back too, as its rule is. */
  readonly run: (storage: Storage) => Promise<unknown>;
  /** True for what changes no file. */
  readonly reads?: true;
  /** The code that it ends in also when nothing fails. */
  readonly refused?: ErrorCode;
}

const bytes = encodeUtf8;
const version = async (storage: Storage, path: string): Promise<string> => (await storage.read(path)).info.version;

const ofStorage: readonly Operation[] = [
  { name: "list", reads: true, run: (storage) => storage.list() },
  { name: "read", reads: true, run: (storage) => storage.read("a.md") },
  { name: "write of a new file", run: (storage) => storage.write("n/new", bytes("new")) },
  { name: "write if absent", run: (storage) => storage.write("n/new", bytes("new"), { ifVersion: "absent" }) },
  { name: "write over a file", run: (storage) => storage.write("a.md", bytes("other")) },
  { name: "write over a version", run: async (storage) => storage.write("a.md", bytes("other"), { ifVersion: await version(storage, "a.md") }) },
  { name: "delete", run: (storage) => storage.delete("a.md") },
  { name: "delete of a version", run: async (storage) => storage.delete("a.md", { ifVersion: await version(storage, "a.md") }) },
  {
    name: "apply",
    run: async (storage) =>
      storage.apply?.([
        { kind: "create", path: "n/new", bytes: bytes("new") },
        { kind: "modify", path: "a.md", bytes: bytes("other"), ifVersion: await version(storage, "a.md") },
        { kind: "delete", path: "d/x.md" },
      ]),
  },
  { name: "record", reads: true, run: async (storage) => storage.record?.({ action: "file.write", outcome: "denied", path: "a.md", reason: "a test" }) },
];

const fs = (storage: Storage): ReturnType<typeof createFileSystem> => createFileSystem(storage);
const ofFiles: readonly Operation[] = [
  { name: "fs.ls", reads: true, run: (storage) => fs(storage).ls("/") },
  { name: "fs.stat", reads: true, run: (storage) => fs(storage).stat("/d") },
  { name: "fs.read", reads: true, run: (storage) => fs(storage).read("/a.md") },
  { name: "fs.glob", reads: true, run: (storage) => fs(storage).glob("**/*.md") },
  { name: "fs.grep", reads: true, run: (storage) => fs(storage).grep("o", { context: 1 }) },
  { name: "fs.write", run: (storage) => fs(storage).write("/n/new", "new") },
  { name: "fs.edit", run: (storage) => fs(storage).edit("/a.md", "two", "three") },
  { name: "fs.delete", run: (storage) => fs(storage).delete("/a.md") },
  { name: "fs.delete of a directory", run: (storage) => fs(storage).delete("/d", { recursive: true }) },
];

const session = (storage: Storage): Session =>
  openSession({ storage, sessionId: SESSION_ID, tools: ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete_file"] });

async function callTool(storage: Storage, name: string, args: object): Promise<ToolResult> {
  const found = fileTools(session(storage)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no tool ${name}`);
  return found.execute(args, { toolCallId: `call-${name}` });
}

const tool = (name: string, args: object, more: Omit<Operation, "name" | "run"> = {}): Operation => ({
  name: `${name} ${JSON.stringify(args)}`,
  run: (storage) => callTool(storage, name, args),
  ...more,
});

const ofTools: readonly Operation[] = [
  tool("ls", { path: "/" }, { reads: true }),
  tool("read_file", { path: "/a.md" }, { reads: true }),
  tool("glob", { pattern: "*.md" }, { reads: true }),
  tool("grep", { pattern: "o", output_mode: "content" }, { reads: true }),
  tool("write_file", { path: "/n/new", content: "new" }),
  tool("write_file", { path: "/memories/no", content: "refused" }, { reads: true, refused: "forbidden" }),
  tool("edit_file", { path: "/a.md", old_string: "two", new_string: "three" }),
  tool("delete_file", { path: "/a.md" }),
  tool("delete_file", { path: "/d", recursive: true }),
];

export const LARGE_RESULT: string = "a line of a large result\n".repeat(5_000);

const ofOffload: readonly Operation[] = [
  {
    name: "offload",
    run: (storage) => session(storage).offload({ isError: false, forModel: LARGE_RESULT }, { toolCallId: "call-1", toolName: "query" }),
  },
  {
    name: "offload of the same call again",
    run: async (storage) => {
      const offload = (): Promise<ToolResult> =>
        session(storage).offload({ isError: false, forModel: LARGE_RESULT }, { toolCallId: "call-1", toolName: "query" });
      await offload();
      return offload();
    },
  },
];

export const OPERATIONS: readonly Operation[] = [...ofStorage, ...ofFiles, ...ofTools, ...ofOffload];

/** Puts the files of the start into an empty tree. */
export async function fillTree(storage: Storage): Promise<void> {
  const create = Object.entries(FILES).map(([path, text]) => ({ kind: "create", path, bytes: bytes(text) }) as const);
  await storage.apply?.(create);
}

/** Paths and contents; versions are left out, since two trees never share one. */
export async function contents(storage: Storage): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const { path } of await storage.list()) found[path] = new TextDecoder().decode((await storage.read(path)).bytes);
  return found;
}
