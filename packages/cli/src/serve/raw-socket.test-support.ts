/** HTTP by hand, for what no client would send. */
import { connect, type Socket } from "node:net";

export interface RawSocket {
  readonly send: (text: string) => void;
  /** All that came until the other side closed. */
  readonly ended: Promise<string>;
  /** Resolves when what came so far has this in it. */
  readonly until: (text: string) => Promise<string>;
  readonly close: () => void;
}

export function rawSocket(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let received = "";
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(received)));
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  // A reset is one way of being turned away.
  socket.on("error", () => undefined);
  const until = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (received.includes(text)) resolve(received);
      };
      socket.on("data", look);
      socket.once("close", () => reject(new Error(`closed before ${JSON.stringify(text)} came: ${JSON.stringify(received)}`)));
      look();
    });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("connect", () => resolve({ send: (text) => void socket.write(text), ended, until, close: () => void socket.destroy() }));
  });
}
