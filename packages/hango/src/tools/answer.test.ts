import { expect, it } from "vitest";
import { MAX_SKIPPED } from "../limits.ts";
import { uuidFor } from "../path/uuid.ts";
import { partsOf } from "../session/parts.ts";
import { openSession } from "../session/session.ts";
import { memoryStorage } from "../storages/memory.ts";
import { skippedNotice } from "./answer.ts";

it('does not take a full list of skipped files for a count: of 5,000 binary files it said "and 90 more"', () => {
  const parts = partsOf(openSession({ storage: memoryStorage(), sessionId: uuidFor("s1") }));
  const notice = (count: number): string =>
    skippedNotice(
      Array.from({ length: count }, (_, n) => `/b${n}`),
      parts,
    ).join("");
  expect(notice(MAX_SKIPPED - 1)).toMatch(/ and 89 more\)$/);
  expect(notice(MAX_SKIPPED)).toMatch(/ and at least 90 more\)$/);
});
