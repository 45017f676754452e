import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { memoryStorage, openSession } from "hango";
import { openInvocations } from "./open-invocations.ts";
import { parseTelemetrySettings } from "./settings.ts";

it("says that a silent collector took nothing before its own time is over: at the end of it, the process had ended first", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => socket.destroy())));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const said: string[] = [];
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  // The waits alone: the sending itself goes by the clock, and takes longer than the test.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
    stderr.mockRestore();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { invoke, close, closeMs } = openInvocations(parseTelemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_METRICS_EXPORTER: "none" }));
  const session = openSession({ storage: memoryStorage(), actor: "operator" });
  void invoke(
    { name: "a", model: "m", session },
    () => new Promise(() => undefined),
    () => ({}),
  );
  void close();
  await vi.advanceTimersByTimeAsync(closeMs - 1);
  expect(said).toEqual([expect.stringContaining("the telemetry was not sent, or not all of it")]);
});
