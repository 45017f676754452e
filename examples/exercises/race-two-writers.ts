/** Exercise 4: make two writers race, and read the conflict. */
import { createFileSystem, fileTools, memoryStorage, openSession, uuidFor, type Storage } from "hango";

const open = (storage: Storage, name: string): ((tool: string, args: Readonly<Record<string, string>>) => Promise<string>) => {
  const tools = new Map(fileTools(openSession({ storage, sessionId: uuidFor(name) })).map((tool) => [tool.name, tool]));
  return async (tool, args) => String((await tools.get(tool)?.execute(args, { toolCallId: crypto.randomUUID() }))?.forModel);
};

const storage = memoryStorage();
const fs = createFileSystem(storage);
await fs.write("/plan.md", "owner: nobody\nstatus: open\n");

// A parent and its subagent, or two runs: each has read the file, and so each holds the same version.
const [parent, child] = [open(storage, "parent"), open(storage, "child")];
await Promise.all([parent("read_file", { path: "/plan.md" }), child("read_file", { path: "/plan.md" })]);

// Both write at once. Which one wins is chance; that exactly one does is not.
const answers = await Promise.all([
  parent("edit_file", { path: "/plan.md", old_string: "nobody", new_string: "the parent" }),
  child("write_file", { path: "/plan.md", content: "owner: the child\nstatus: open\n" }),
]);
const [winner, loser] = answers[0].startsWith("Error") ? [child, parent] : [parent, child];
console.log(`conflicts: ${answers.filter((answer) => answer.startsWith("Error (conflict)")).length} of ${answers.length}`);

// The next stale write, once more and slowly, to read what the loser is told.
await loser("read_file", { path: "/plan.md" });
await winner("edit_file", { path: "/plan.md", old_string: "status: open", new_string: "status: done" });
const named = (text: string): string => text.replace(/the (parent|child)/, "the winner");
console.log(named(await loser("edit_file", { path: "/plan.md", old_string: "status: open", new_string: "status: late" })));
console.log(named((await fs.read("/plan.md")).lines.map(({ text }) => text).join("\n")));

// It re-reads and tries again, as the error says.
await loser("read_file", { path: "/plan.md" });
const [done = ""] = (await loser("edit_file", { path: "/plan.md", old_string: "status: done", new_string: "status: done, late" })).split(",");
console.log(done);
