/** The one way in which a person is asked. */
import { HangoError, isHangoError } from "../../errors.ts";
import type { ApprovalRequest, Policy } from "./policy.ts";

/**
 * Asks. Only `true` is a yes: an answer of another shape ("no", { approved: false }) must never let a change through.
 * Errors: unavailable when the question itself fails, so that nothing happens unapproved; an abort rethrows its reason.
 */
export async function isApproved(approve: NonNullable<Policy["approve"]>, request: ApprovalRequest, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    const answer: unknown = await approve(request);
    signal?.throwIfAborted();
    return answer === true;
  } catch (error) {
    signal?.throwIfAborted();
    if (isHangoError(error)) throw error;
    const { operation, path } = request;
    throw new HangoError("unavailable", `No one could be asked for the approval that this ${operation} needs, so it was not done. Retry in a moment.`, {
      op: operation,
      path,
      cause: error,
    });
  }
}
