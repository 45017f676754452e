import { describe, expect, it } from "vitest";
import { createShare } from "./share.ts";

const options = { limit: 2, perTenant: 1, maxWaiting: 2, maxWaitMs: 60_000 };

describe("the share of the greps", () => {
  it("passes over a tenant at its cap for one that is not", async () => {
    const share = createShare({ ...options, perTenant: 1, limit: 2 });
    const order: string[] = [];
    const releaseA = await share.enter("a");
    const secondA = share.enter("a").then((release) => (order.push("a2"), release));
    const releaseB = await share.enter("b");
    const firstC = share.enter("c").then((release) => (order.push("c"), release));
    releaseB();
    await firstC;
    releaseA();
    await secondA;
    expect(order).toEqual(["c", "a2"]);
  });

  it("serves tenants in turn, however many of one are waiting", async () => {
    const share = createShare({ ...options, limit: 1, maxWaiting: 10 });
    const release = await share.enter("a");
    const order: string[] = [];
    const queued = ["a1", "a2", "a3", "b1", "c1", "b2"].map((name) => share.enter(name.charAt(0)).then((leave) => (order.push(name), leave())));
    release();
    await Promise.all(queued);
    expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  it('keeps no place for a crowd of one tenant that another asks for: it was refused at once with "Too many searches are running"', async () => {
    const share = createShare({ ...options, limit: 1, maxWaiting: 3 });
    const release = await share.enter("a");
    const crowd = [share.enter("a"), share.enter("a"), share.enter("a")];
    const other = share.enter("b");
    await expect(crowd[2]).rejects.toMatchObject({ code: "unavailable" });
    await expect(share.enter("a")).rejects.toMatchObject({ code: "unavailable" });
    release();
    for (const waiting of [crowd[0], other, crowd[1]]) (await waiting)?.();
  });

  it("refuses the caller that would be one too many in the queue", async () => {
    const share = createShare({ ...options, limit: 1 });
    const release = await share.enter("a");
    const waiting = [share.enter("b"), share.enter("c")];
    await expect(share.enter("d")).rejects.toMatchObject({ code: "unavailable" });
    release();
    (await waiting[0])?.();
    (await waiting[1])?.();
    (await share.enter("d"))();
  });

  it("lets a waiter go on abort with its reason, and gives the place to the next", async () => {
    const share = createShare({ ...options, limit: 1 });
    const release = await share.enter("a");
    const controller = new AbortController();
    const gone = share.enter("b", controller.signal);
    const next = share.enter("c");
    const reason = new Error("no more");
    controller.abort(reason);
    await expect(gone).rejects.toBe(reason);
    await expect(share.enter("d", AbortSignal.abort(reason))).rejects.toBe(reason);
    release();
    (await next)();
  });

  it("answers unavailable when the wait is too long, and a release twice counts once", async () => {
    const share = createShare({ ...options, limit: 1, maxWaitMs: 5 });
    const release = await share.enter("a");
    await expect(share.enter("b")).rejects.toMatchObject({ code: "unavailable" });
    release();
    release();
    const one = await share.enter("a");
    await expect(share.enter("b")).rejects.toMatchObject({ code: "unavailable" });
    one();
  });
});
