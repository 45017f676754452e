import { embeddedStorage, memoryStorage, mountStorage, openSession, type Session, type Storage } from "hango";

/** A project to change, documents to look up, and room for what the system keeps of the session. */
export function openProject(project: Storage, documents: Readonly<Record<string, string>>, sessionId: string): Session {
  const storage = mountStorage({
    mounts: [
      { prefix: "", storage: project },
      { prefix: "docs", storage: embeddedStorage(documents), readOnly: true },
      { prefix: "large_tool_results", storage: memoryStorage() },
      { prefix: "conversation_history", storage: memoryStorage() },
    ],
  });
  return openSession({ storage, sessionId });
}
