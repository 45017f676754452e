import { embeddedStorage, fileTools, memoryStorage, mountStorage, openSession, type Session } from "hango";

/** What ships with the program. `hango embed knowledge > corpus.ts` makes such a module of a directory. */
const files = {
  "knowledge/faq.md": "# FAQ\n\nOpening hours: 9 to 5.\n",
  "knowledge/prices.md": "# Prices\n\nA coffee is 3 euros.\n",
};

/** A chatbot's session: the corpus at the root, read-only, and room beside it for tool results that are too large for the context. */
export function openChat(sessionId: string): Session {
  const storage = mountStorage({
    mounts: [
      // With the prefix, the model sees /faq.md, not /knowledge/faq.md.
      { prefix: "", storage: embeddedStorage(files, { prefix: "knowledge" }) },
      { prefix: "large_tool_results", storage: memoryStorage() },
      { prefix: "conversation_history", storage: memoryStorage() },
    ],
  });
  return openSession({ storage, sessionId, tools: ["ls", "read_file", "grep", "search"] });
}

/** What a model would do for "When are you open?". */
export async function answerByHand(session: Session): Promise<readonly string[]> {
  const tools = new Map(fileTools(session).map((tool) => [tool.name, tool]));
  const call = async (name: string, args: unknown) => String((await tools.get(name)?.execute(args, { toolCallId: name }))?.forModel);
  return [await call("ls", { path: "/" }), await call("search", { query: "opening hours" }), await call("read_file", { path: "/faq.md" })];
}
