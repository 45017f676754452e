import { memoryStorage, openSession } from "hango";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatServer, type Move, chatServer } from "./chat-server.test-support.ts";
import { chooseModel } from "./choose-model.ts";
import { type RunEnd, followRun } from "./follow-run.ts";
import { runScreen } from "./run-screen.ts";

let server: ChatServer;
beforeAll(async () => {
  server = await chatServer();
});
afterAll(() => server.close());

interface Played {
  readonly end: RunEnd;
  readonly shown: string;
  readonly pieces: readonly string[];
}

async function play(moves: readonly Move[], more: { readonly maxSteps?: number; readonly timeoutMs?: number; readonly stopAt?: string } = {}): Promise<Played> {
  server.play(moves);
  const storage = memoryStorage();
  await storage.write("a.txt", new TextEncoder().encode("one\ntwo\n"));
  const session = openSession({ storage, sessionId: crypto.randomUUID() });
  const pieces: string[] = [];
  const { stopAt, ...settings } = more;
  const stop = new AbortController();
  const write = (text: string): void => {
    pieces.push(text);
    if (stopAt !== undefined && text.includes(stopAt)) stop.abort();
  };
  const { model } = chooseModel({ model: "test", baseUrl: server.url }, {});
  const end = await followRun(
    { model, session, observeTools: (tools) => tools, task: "Do it.", maxSteps: 5, timeoutMs: 60_000, signal: stop.signal, ...settings },
    runScreen(write),
  );
  return { end, pieces, shown: pieces.join("").replaceAll(/\u001B\[\d+m/g, "") };
}

describe("followRun", () => {
  it("shows text as it comes, one line a tool call, and counts the tokens", async () => {
    const { end, shown, pieces } = await play([
      { say: "I look at the file first.", calls: [{ tool: "read_file", input: { path: "/a.txt" } }] },
      (seen) => ({ calls: [{ tool: "edit_file", input: { path: "/a.txt", old_string: seen[0]?.includes("two") ? "two" : "?", new_string: "2" } }] }),
      { say: "Changed two to 2." },
    ]);
    expect(end).toEqual({ how: "finished", reason: "", calls: 2, inputTokens: 300, outputTokens: 30 });
    expect(shown).toMatch(
      /^I look at the file first\.\n✓ read_file \/a\.txt \d+ lines \(\d+ ms\)\n✓ edit_file \/a\.txt Replaced 1 occurrence in \/a\.txt, now 6 bytes\. \(\d+ ms\)\nChanged two to 2\.\n$/,
    );
    expect(pieces.filter((piece) => "I look at the file first.".includes(piece)).length).toBeGreaterThan(2);
  });

  it("shows an error of a tool, an unknown tool and arguments that are no JSON as failed calls, and goes on", async () => {
    const { end, shown } = await play([
      {
        calls: [
          { tool: "read_file", input: { path: "/../etc/passwd" } },
          { tool: "rm_rf", input: {} },
          { tool: "read_file", input: '{"path": "/a' },
        ],
      },
      { say: "I give up." },
    ]);
    expect(end).toMatchObject({ how: "finished", calls: 3 });
    expect(shown).toMatch(/✗ read_file \/\.\.\/etc\/passwd Error \(invalid_path\)/);
    expect(shown).toMatch(/✗ rm_rf /);
    expect(shown.match(/✗ read_file/g)).toHaveLength(2);
    expect(shown).toContain("I give up.");
  });

  it("keeps what a model writes from playing with the terminal", async () => {
    const { shown } = await play([{ say: "a\u001B[2Jb\u202Ec\r\nd" }]);
    expect(shown).toBe("a\uFFFD[2Jb\uFFFDc\nd\n");
  });

  it("says that the steps were used up", async () => {
    const again = { calls: [{ tool: "ls", input: {} }] };
    const { end } = await play([again, again, again], { maxSteps: 2 });
    expect(end).toMatchObject({ how: "cut", calls: 2, reason: "it was not done after 2 steps; --max-steps allows more" });
  });

  it("stops when it is told to, in the middle of an answer", async () => {
    const { end, shown } = await play([{ calls: [{ tool: "ls", input: {} }] }, { fault: "hang" }], { stopAt: "I was about" });
    expect(end).toMatchObject({ how: "interrupted", calls: 1 });
    expect(shown).toContain("I was about to\n");
  });

  it.each<[string, Move, RegExp]>([
    ["a wrong key", { status: 401 }, /^the model answered 401: the key was not accepted/],
    ["a wrong model", { status: 404, body: "nope" }, /^the model answered 404: there is no such model/],
    ["a page instead of an answer", { raw: "<html>hello</html>" }, /^the model's answer could not be used/],
    ["garbage in the stream", { raw: "data: {nonsense\n\ndata: [DONE]\n\n" }, /^the model's answer could not be used/],
    ["a stream of nothing", { raw: "" }, /^the model's answer could not be used/],
    [
      "an error in the stream",
      { raw: 'data: {"error":{"message":"overloaded\\u001b[2J","type":"server_error"}}\n\n' },
      /^the model's answer could not be used \(overloaded\uFFFD\[2J\)/,
    ],
    ["a broken connection", { fault: "cut" }, /^the model's answer broke off$/],
  ])("says what happened in one line: %s", async (_, move, expected) => {
    const { end } = await play([move]);
    expect(["failed", "cut"]).toContain(end.how);
    expect(end.reason).toMatch(expected);
    expect(end.reason).not.toContain("\n");
  });

  it("gives up on a model that is silent for too long", async () => {
    const { end } = await play([{ fault: "hang" }], { timeoutMs: 200 });
    expect(end).toMatchObject({ how: "failed", reason: "the model did not answer in time; try again, or give it longer with --timeout" });
  });
});
