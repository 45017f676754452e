import { expect, it } from "vitest";
import { clientAddress } from "./client-address.ts";

const BALANCER = "10.0.0.2";
const cases: readonly (readonly [hops: number, forwarded: string | undefined, address: string])[] = [
  [0, "203.0.113.7", BALANCER],
  [0, undefined, BALANCER],
  [1, "203.0.113.7", "203.0.113.7"],
  // What the client sent itself stands to the left, and is not believed.
  [1, "1.1.1.1, 203.0.113.7", "203.0.113.7"],
  [2, "1.1.1.1, 203.0.113.7, 10.0.0.1", "203.0.113.7"],
  [3, "203.0.113.7, 10.0.0.1", "203.0.113.7"],
  [1, undefined, BALANCER],
  [1, "", BALANCER],
  [1, "unknown", BALANCER],
  [2, "somebody, 10.0.0.1", "10.0.0.1"],
  [1, "203.0.113.7:50412", "203.0.113.7"],
  [1, "[2001:db8::7]:50412", "2001:db8::7"],
  [1, "2001:db8::7", "2001:db8::7"],
];

it.each(cases)("of %i trusted proxies, X-Forwarded-For %j is %s", (hops, forwarded, address) => {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  expect(clientAddress({ socket: { remoteAddress: BALANCER }, headers }, hops)).toBe(address);
});
