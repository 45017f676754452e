import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it } from "vitest";
import { acquire, createPool } from "./pg-pool.ts";

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

it("outlives a server that ends as it greets: 'terminating connection due to unexpected postmaster exit' ended the process", async () => {
  const ready = message("Z", Buffer.from("I"));
  const fatal = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0", "latin1"));
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    // Welcome and farewell in one packet: the client reads both before anyone who waits for the connection comes to run.
    socket.once("data", () => socket.end(Buffer.concat([message("R", Buffer.alloc(4)), ready, fatal])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const pool = createPool(`postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/d`, 1);
  try {
    const client = await acquire(pool);
    await expect(client.query({ text: "select 1" })).rejects.toThrow();
    client.release(true);
  } finally {
    await pool.end();
    await new Promise((resolve) => server.close(resolve));
  }
});

it("tells a server that does not answer from a pool that is full: 'raise maxConnections' was the advice for both", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => socket.destroy())));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const pool = createPool(`postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/d`, 2);
  try {
    const fails = (): Promise<unknown> => acquire(pool, { waitMs: 20 }).catch((error: unknown) => error);
    const first = await fails();
    const [, , third] = await Promise.all([fails(), fails(), fails()]);
    expect(first).toMatchObject({ code: "unavailable", message: expect.stringContaining("gave no new connection within 0.02 s") as unknown });
    expect(third).toMatchObject({ code: "unavailable", message: expect.stringContaining("raise maxConnections") as unknown });
  } finally {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await pool.end();
    await closed;
  }
});
