/** Answers by hand what never became a request. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

export const MAX_HEADER_BYTES: number = 16 * 1024;

const CODES: Readonly<Record<number, string>> = { 408: "timeout", 431: "headers_too_large", 500: "internal" };

export function problemBody(status: number, detail: string): string {
  return JSON.stringify({ type: "about:blank", title: STATUS_CODES[status], status, code: CODES[status] ?? "invalid_argument", detail });
}

const STATUS_BY_ERROR: ReadonlyMap<string | undefined, number> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
  ["HPE_HEADER_OVERFLOW", 431],
]);

const DETAILS: Readonly<Record<number, string>> = {
  400: "The request can't be read.",
  408: "The request did not arrive in time.",
  431: `The headers are larger than ${MAX_HEADER_BYTES} bytes.`,
};

/** Says why and closes. */
export function refuseSocket(socket: Socket, { code }: NodeJS.ErrnoException): void {
  if (!socket.writable) return void socket.destroy();
  const status = STATUS_BY_ERROR.get(code) ?? 400;
  const body = problemBody(status, DETAILS[status] ?? "");
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  // Who goes on sending is not waited for.
  socket.end(head + body, () => socket.destroy());
}
