/** Contents that a socket does not take, over a real one. */
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { agents, filesUrl, openWorld, type World } from "./world.ts";

/** More than the buffers between two ends of a socket. */
const SIZE = 16 * 1024 * 1024;
let world: World;
beforeAll(async () => {
  world = await openWorld({ streams: { maxSendBytesEach: 2 * SIZE } });
  await world.files(agents.mine).write("large.bin", new Uint8Array(SIZE).fill(7));
});
afterAll(() => world.close());

it("are held within a bound, and free again once the reader reads or leaves: a GET that nobody read held 16 MiB", async () => {
  const target = filesUrl(agents.mine, "/large.bin");
  const sockets = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const socket = connect(world.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer maker\r\n\r\n`);
      await new Promise((resolve) => socket.once("readable", resolve));
      return socket;
    }),
  );
  const ask = (): Promise<number> =>
    world.call("maker", target, { headers: { range: "bytes=0-9999999" } }).then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    });
  expect(await ask()).toBe(429);
  sockets[0]?.destroy();
  await expect.poll(ask, { timeout: 20_000 }).toBe(206);
  let taken = 0;
  sockets[1]?.on("data", (piece: Buffer) => void (taken += piece.length));
  await expect.poll(() => taken, { timeout: 20_000 }).toBeGreaterThan(SIZE);
  sockets[1]?.destroy();
  const whole = await world.call("maker", target);
  expect([(await whole.arrayBuffer()).byteLength, whole.headers.get("content-length")]).toEqual([SIZE, String(SIZE)]);
  expect(world.errors).toEqual([]);
});
