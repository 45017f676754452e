import { describe, expect, it } from "vitest";
import { failureOf } from "../errors.ts";
import type { PoolClient, QueryAnswer } from "./pg-pool.ts";
import { createQueryMaker, NotBegunError, NotEndedError, runPlan } from "./pg-run.ts";

const refusal = Object.assign(new Error("no server is free"), { code: "58000" });

/** A connection whose pooler refuses the first query and runs the others. */
function refusingBegin(pipeline: boolean): { readonly client: PoolClient; readonly ran: string[] } {
  const ran: string[] = [];
  const client = {
    pipeline,
    query: async ({ text }: { readonly text: string }): Promise<QueryAnswer> => {
      if (text.startsWith("begin")) throw refusal;
      ran.push(text);
      return { command: text === "commit" ? "COMMIT" : "INSERT", rows: [] };
    },
    release: () => undefined,
    on: () => undefined,
    removeListener: () => undefined,
  };
  return { client, ran };
}

describe("a BEGIN that was refused", () => {
  const plan = {
    statements: [
      { text: "insert", values: [] },
      { text: "insert 2", values: [] },
    ],
    settings: new Map<string, string>(),
  };

  it("leaves the outcome unknown, since what left with it ran by itself: never the final answer of that first error", async () => {
    const { client, ran } = refusingBegin(true);
    const error = await runPlan(client, plan, createQueryMaker(false)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotBegunError);
    expect([failureOf(refusal), failureOf(error), ran.length]).toEqual(["final", "unknown", 3]);
  });

  it("is the last that is sent where queries go one by one", async () => {
    const { client, ran } = refusingBegin(false);
    await expect(runPlan(client, plan, createQueryMaker(false))).rejects.toBeInstanceOf(NotBegunError);
    expect(ran).toEqual([]);
  });
});

it("a COMMIT that was refused is told apart: its connection, still inside the failed transaction, answered 25P02 to all that came after", async () => {
  const cancelled = Object.assign(new Error("canceling statement due to user request"), { code: "57014" });
  const client = {
    pipeline: true,
    query: async ({ text }: { readonly text: string }): Promise<QueryAnswer> => {
      if (text === "commit") throw cancelled;
      return { command: text, rows: [] };
    },
    release: () => undefined,
    on: () => undefined,
    removeListener: () => undefined,
  };
  const plan = { statements: [{ text: "insert", values: [] }], settings: new Map([["statement_timeout", "1"]]) };
  const error = await runPlan(client, plan, createQueryMaker(false)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotEndedError);
  expect((error as Error).cause).toBe(cancelled);
});
