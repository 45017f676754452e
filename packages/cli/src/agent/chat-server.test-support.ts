/** A local HTTP server that speaks OpenAI's chat-completions streaming protocol and plays a conversation. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
}

export interface ChatRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly authorization: string | undefined;
}

type Say = { readonly say: string };
type Calls = { readonly calls: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> | string }[]; readonly say?: string };
/** "hang": the answer begins and never goes on; "cut": the connection breaks in the middle of it. */
type Fault = { readonly status: number; readonly body?: string } | { readonly raw: string } | { readonly fault: "hang" | "cut" };
export type Turn = Say | Calls | Fault;
/** Given what the model would see: the texts of the newest tool results. */
export type Move = Turn | ((seen: readonly string[], request: ChatRequest) => Turn | Promise<Turn>);

export interface ChatServer {
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  readonly play: (moves: readonly Move[]) => void;
  readonly close: () => Promise<void>;
}

/** Plays the moves in turn, one a request; past the last it says "Done.". A request that is not in the protocol is answered with 400. */
export async function chatServer(): Promise<ChatServer> {
  let left: Move[] = [];
  const requests: ChatRequest[] = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Omit<ChatRequest, "authorization">;
    if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions" || !body.stream) {
      response.writeHead(400).end(`{"error":{"message":"${incoming.method} ${incoming.url} is not in this protocol"}}`);
      return;
    }
    const request = { ...body, authorization: incoming.headers.authorization };
    requests.push(request);
    const move = left.shift() ?? { say: "Done." };
    send(typeof move === "function" ? await move(newestResults(body.messages), request) : move, response, `call_${requests.length}`);
  }

  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    play: (moves) => {
      left = [...moves];
      requests.length = 0;
    },
    close: () => closeServer(server),
  };
}

function newestResults(messages: readonly ChatMessage[]): readonly string[] {
  const lastOther = messages.findLastIndex(({ role }) => role !== "tool");
  return messages.slice(lastOther + 1).map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
}

function send(turn: Turn, response: ServerResponse, id: string): void {
  if ("status" in turn) {
    response.writeHead(turn.status, { "content-type": "application/json" }).end(turn.body ?? `{"error":{"message":"status ${turn.status}"}}`);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  if ("raw" in turn) {
    response.end(turn.raw);
    return;
  }
  const event = (choice: object, more: object = {}): void => {
    response.write(
      `data: ${JSON.stringify({ id: "chat", object: "chat.completion.chunk", created: 1, model: "test", choices: [{ index: 0, ...choice }], ...more })}\n\n`,
    );
  };
  const delta = (value: object): void => event({ delta: value, finish_reason: null });
  delta({ role: "assistant", content: "" });
  if ("fault" in turn) {
    delta({ content: "I was about to" });
    // After what was written has gone out.
    if (turn.fault === "cut") setTimeout(() => response.destroy(), 50);
    return;
  }
  for (const piece of pieces(turn.say ?? "")) delta({ content: piece });
  const calls = "calls" in turn ? turn.calls : [];
  for (const [index, { tool, input }] of calls.entries()) {
    delta({ tool_calls: [{ index, id: `${id}_${index}`, type: "function", function: { name: tool, arguments: "" } }] });
    for (const piece of pieces(typeof input === "string" ? input : JSON.stringify(input))) delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  event({ delta: {}, finish_reason: calls.length > 0 ? "tool_calls" : "stop" });
  response.write(
    `data: ${JSON.stringify({ id: "chat", object: "chat.completion.chunk", created: 1, model: "test", choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } })}\n\n`,
  );
  response.end("data: [DONE]\n\n");
}

const PIECE = 7;

function pieces(text: string): readonly string[] {
  const points = [...text];
  return Array.from({ length: Math.ceil(points.length / PIECE) }, (_, i) => points.slice(i * PIECE, (i + 1) * PIECE).join(""));
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
