import { createOverlay, type FileInfo, openSession, type Session, type Storage, unifiedDiff } from "hango";
import { randomUUID } from "node:crypto";

/** Lets an agent work on a draft of real files, shows what it did as one diff, and keeps it only after a yes. */
export async function workOnDraft(
  base: Storage,
  work: (session: Session) => Promise<void>,
  isApproved: (diff: string) => Promise<boolean>,
): Promise<readonly FileInfo[]> {
  const draft = createOverlay({ base });
  await work(openSession({ storage: draft.storage, sessionId: randomUUID() }));
  const diff = unifiedDiff(await draft.changes());
  if (diff !== "" && (await isApproved(diff))) return draft.commit();
  draft.discard();
  return [];
}
