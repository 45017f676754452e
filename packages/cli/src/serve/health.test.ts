import { describe, expect, it } from "vitest";
import { createHealth, type HealthOptions } from "./health.ts";

function health(options: Partial<HealthOptions> = {}): {
  readonly status: (path: string, method?: string) => Promise<number | undefined>;
  readonly failures: unknown[];
} {
  const failures: unknown[] = [];
  const ask = createHealth({ ping: async () => undefined, isClosing: () => false, onFailure: (error) => failures.push(error), now: () => 0, ...options });
  return { status: async (path, method = "GET") => (await ask(method, path))?.status, failures };
}

describe("the two addresses of health", () => {
  it("answer 200 while all is well, also to HEAD, and leave every other address alone", async () => {
    const { status } = health();
    expect([await status("/healthz"), await status("/readyz"), await status("/readyz", "HEAD")]).toEqual([200, 200, 200]);
    expect([await status("/healthz/"), await status("/v1/agents")]).toEqual([undefined, undefined]);
    expect(await status("/healthz", "POST")).toBe(405);
  });

  it("say 503 of a database that fails, and tell why only to the log; the process itself is alive", async () => {
    const failure = new Error("connection refused");
    const { status, failures } = health({ ping: () => Promise.reject(failure) });
    expect([await status("/readyz"), await status("/healthz")]).toEqual([503, 200]);
    expect(failures).toEqual([failure]);
  });

  it("do not wait for ever for a database that hangs", async () => {
    const { status, failures } = health({ ping: () => new Promise(() => undefined), timeoutMs: 5 });
    expect(await status("/readyz")).toBe(503);
    expect(failures).toHaveLength(1);
  });

  it("ask the database once a second, however many ask them", async () => {
    let [pings, now] = [0, 0];
    const { status } = health({ ping: async () => void (pings += 1), now: () => now });
    await Promise.all(Array.from({ length: 50 }, () => status("/readyz")));
    expect(pings).toBe(1);
    now = 1_001;
    await status("/readyz");
    expect(pings).toBe(2);
  });

  it("say 503 once the server closes, so that a load balancer sends nothing more", async () => {
    const { status } = health({ isClosing: () => true });
    expect([await status("/readyz"), await status("/healthz")]).toEqual([503, 200]);
  });
});
