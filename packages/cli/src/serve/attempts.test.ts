import { describe, expect, it } from "vitest";
import { createAttempts } from "./attempts.ts";

const HOUR_MS = 3_600_000;
const at = { now: 0 };
const attempts = (maxRemembered = 100): ReturnType<typeof createAttempts> =>
  createAttempts({ perAddress: 3, windowMs: 60_000, goodMs: 12 * HOUR_MS, maxRemembered, now: () => at.now });

describe("wrong keys", () => {
  it("are looked up as often as the limit says, and no more until the window ends", () => {
    at.now = 0;
    const door = attempts();
    for (let wrong = 0; wrong < 3; wrong++) {
      expect(door.mayTry("1.2.3.4", `guess-${wrong}`)).toBe(true);
      door.failed("1.2.3.4", `guess-${wrong}`);
    }
    expect(door.mayTry("1.2.3.4", "guess-3")).toBe(false);
    expect(door.retryAfter("1.2.3.4")).toBe(60);
    at.now = 59_999;
    expect(door.mayTry("1.2.3.4", "guess-3")).toBe(false);
    at.now = 60_000;
    expect(door.mayTry("1.2.3.4", "guess-3")).toBe(true);
  });

  it("of one address do not shut out another one", () => {
    const door = attempts();
    for (let wrong = 0; wrong < 5; wrong++) door.failed("1.2.3.4", `guess-${wrong}`);
    expect(door.mayTry("1.2.3.5", "key")).toBe(true);
  });

  it("do not shut out a key of the same address that was good a moment ago, as behind a proxy", () => {
    at.now = 0;
    const door = attempts();
    door.succeeded("good");
    for (let wrong = 0; wrong < 5; wrong++) door.failed("proxy", `guess-${wrong}`);
    expect(door.mayTry("proxy", "good")).toBe(true);
    expect(door.mayTry("proxy", "other")).toBe(false);
  });

  it("do not shut out who asks now and then: one wrong key a second through a load balancer refused a person who asked every 90 seconds, each time", () => {
    at.now = 0;
    const door = attempts();
    door.succeeded("ada's key");
    const asked: boolean[] = [];
    for (let second = 1; second <= 900; second++) {
      at.now = second * 1_000;
      if (door.mayTry("balancer", `guess-${second}`)) door.failed("balancer", `guess-${second}`);
      if (second % 90 === 0) asked.push(door.mayTry("balancer", "ada's key"));
    }
    expect(asked).toEqual(Array.from({ length: 10 }, () => true));
    at.now = 12 * HOUR_MS - 1;
    for (let wrong = 0; wrong < 3; wrong++) door.failed("balancer", `late-${wrong}`);
    expect(door.mayTry("balancer", "ada's key")).toBe(true);
    at.now = 12 * HOUR_MS;
    expect(door.mayTry("balancer", "ada's key")).toBe(false);
  });

  it("take a credential that was good and is wrong now for any other wrong one", () => {
    at.now = 0;
    const door = attempts();
    door.succeeded("revoked");
    for (const key of ["revoked", "guess-1", "guess-2"]) door.failed("proxy", key);
    expect(door.mayTry("proxy", "revoked")).toBe(false);
  });

  it("count once each: a page that polled with a cookie that had ended shut a whole office out of signing in", () => {
    at.now = 0;
    const door = attempts();
    expect(door.isWrong("office", "ended cookie")).toBe(false);
    for (let poll = 0; poll < 50; poll++) door.failed("office", "ended cookie");
    expect(door.isWrong("office", "ended cookie")).toBe(true);
    expect(door.mayTry("office", "a colleague's new key")).toBe(true);
    at.now = 60_000;
    expect(door.isWrong("office", "ended cookie")).toBe(false);
  });

  it("are remembered of a bounded number of addresses", () => {
    at.now = 0;
    const door = attempts(2);
    for (const address of ["a", "b", "c"]) for (let wrong = 0; wrong < 3; wrong++) door.failed(address, `guess-${wrong}`);
    expect(["a", "b", "c"].map((address) => door.mayTry(address, "key"))).toEqual([true, false, false]);
  });
});
