import { createOverlay, type FileInfo, memoryStorage, mountStorage, openSession, type Session, type Storage, unifiedDiff } from "hango";
import { randomUUID } from "node:crypto";

/** Lets an agent work on a draft of real files, shows what it did as one diff, and keeps it only after a yes. */
export async function workOnDraft(
  base: Storage,
  work: (session: Session) => Promise<void>,
  isApproved: (diff: string) => Promise<boolean>,
): Promise<readonly FileInfo[]> {
  const draft = createOverlay({ base });
  const storage = mountStorage({
    mounts: [
      { prefix: "", storage: draft.storage },
      // Tool results that are too large for the context are no part of the draft: here they end with the run.
      { prefix: "large_tool_results", storage: memoryStorage() },
      { prefix: "conversation_history", storage: memoryStorage() },
    ],
  });
  await work(openSession({ storage, sessionId: randomUUID() }));
  const diff = unifiedDiff(await draft.changes());
  if (diff !== "" && (await isApproved(diff))) return draft.commit();
  draft.discard();
  return [];
}
