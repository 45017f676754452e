import { openSession, type ApprovalRequest, type Session, type Storage } from "hango";

/** A session that may not read /secrets, nor find it in a listing, may change /src, and asks a person before it changes anything else or learns something for later. */
export function openCareful(storage: Storage, sessionId: string, isApproved: (request: ApprovalRequest) => Promise<boolean>): Session {
  return openSession({
    storage,
    sessionId,
    policy: {
      // The first rule that matches decides.
      permissions: [
        { operations: ["read", "write"], paths: ["/secrets/"], mode: "deny" },
        { operations: ["write"], paths: ["/src/"], mode: "allow" },
        { operations: ["write"], paths: ["/"], mode: "ask" },
      ],
      reservedWrites: "ask",
      approve: isApproved, // { operation, path, diff }; only `true` is a yes
    },
  });
}
