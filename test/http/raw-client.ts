/** HTTP by hand over a socket: what a client of ours would escape or refuse goes out as it is. */
import { connect } from "node:net";

export interface RawAnswer {
  /** 0 when the server closed without an answer. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends one request and reads to the end of the connection. */
export function rawRequest(
  port: number,
  request: { readonly method: string; readonly target: string; readonly headers?: readonly string[]; readonly body?: string },
): Promise<RawAnswer> {
  const { method, target, headers = [], body = "" } = request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => {
      const length = body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
      socket.write(`${method} ${target} HTTP/1.1\r\n${["Host: test", "Connection: close", ...length, ...headers].join("\r\n")}\r\n\r\n${body}`);
    });
    socket.setTimeout(20_000, () => socket.destroy(new Error(`no answer to ${method} ${target}`)));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(parse(Buffer.concat(chunks).toString("utf8"))));
  });
}

function parse(text: string): RawAnswer {
  const at = text.indexOf("\r\n\r\n");
  const head = at < 0 ? text : text.slice(0, at);
  const body = at < 0 ? "" : text.slice(at + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, head, body: /transfer-encoding: chunked/i.test(head) ? unchunk(body) : body };
}

function unchunk(body: string): string {
  const bytes = Buffer.from(body, "utf8");
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, end).toString("latin1"), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts).toString("utf8");
}
