/** A TCP proxy before a Postgres that knows where messages begin and end, and cuts the connection at one of them. */
import { createServer, connect, type Server, type Socket } from "node:net";

/** "before": the message does not pass. "half": its first half does. "after": it passes whole, and nothing behind it. */
export type CutPlace = "before" | "half" | "after";

export interface Cut {
  /** Counted over both directions, from 1. */
  readonly message: number;
  readonly place: CutPlace;
  /** "once": the next connection lives. "each": every connection is cut at its message of that number. */
  readonly times: "once" | "each";
}

export interface CuttingProxy {
  readonly port: number;
  /** Counts from here on. */
  readonly arm: (cut: Cut) => void;
  /** Cuts no more. Answers how many connections were cut, and how many messages passed since. */
  readonly disarm: () => { readonly cuts: number; readonly messages: number };
  /** The next connection that is cut keeps the client's last flush back and delivers it to the server after that many milliseconds. */
  readonly holdRequests: (delayMs: number) => void;
  readonly close: () => Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  over: boolean;
}

const LENGTH_BYTES = 4;

export async function cuttingProxy(target: { readonly host: string; readonly port: number }): Promise<CuttingProxy> {
  let armed: Cut | undefined;
  let seen = 0;
  let messages = 0;
  let cuts = 0;
  let holdMs: number | undefined;
  const links = new Set<Link>();

  function cut(link: Link): void {
    link.over = true;
    cuts += 1;
    seen = 0;
    if (armed?.times === "once") armed = undefined;
    // What passed has arrived: the server reads it to its end, the client gets it before the end.
    link.server.end();
    link.client.end();
    link.client.destroySoon();
  }

  function pass(link: Link, to: Socket, message: Buffer): void {
    messages += 1;
    seen += 1;
    if (armed === undefined || seen !== armed.message) {
      to.write(message);
      return;
    }
    if (armed.place === "half") to.write(message.subarray(0, message.length >> 1));
    if (armed.place === "after") to.write(message);
    cut(link);
  }

  /** Client's bytes are kept until the cut, which is at once; what was kept arrives later, as from a slow network. */
  function holdBack(link: Link, chunk: Buffer): void {
    const delay = holdMs ?? 0;
    holdMs = undefined;
    link.over = true;
    cuts += 1;
    link.client.destroy();
    setTimeout(() => link.server.end(chunk), delay);
  }

  const listener: Server = createServer((client) => {
    const link: Link = { client, server: connect(target), over: false };
    links.add(link);
    forward(link, client, { to: link.server, typed: false });
    forward(link, link.server, { to: client, typed: true });
  });

  function forward(link: Link, from: Socket, { to, typed }: { readonly to: Socket; readonly typed: boolean }): void {
    let rest: Buffer = Buffer.alloc(0);
    let hasType = typed;
    from.setNoDelay(true);
    from.on("data", (chunk: Buffer) => {
      if (link.over) return;
      if (holdMs !== undefined && !typed && hasType) return holdBack(link, chunk);
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const header = (hasType ? 1 : 0) + LENGTH_BYTES;
        if (rest.length < header) return;
        const whole = rest.readInt32BE(header - LENGTH_BYTES) + header - LENGTH_BYTES;
        if (rest.length < whole) return;
        const message = rest.subarray(0, whole);
        rest = rest.subarray(whole);
        hasType = true;
        pass(link, to, message);
        if (link.over) return;
      }
    });
    // Either side may end with a reset; the other one then ends as well.
    from.on("error", () => from.destroy());
    from.on("close", () => {
      links.delete(link);
      if (!link.over) to.destroy();
    });
  }

  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    arm: (next) => {
      armed = next;
      seen = messages = cuts = 0;
    },
    disarm: () => {
      armed = undefined;
      return { cuts, messages };
    },
    holdRequests: (delayMs) => {
      holdMs = delayMs;
      cuts = 0;
    },
    close: () => {
      for (const { client, server } of links) {
        client.destroy();
        server.destroy();
      }
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
}
