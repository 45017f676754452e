/** Exercise 2: force an offload with a large http_fetch. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFileSystem, fileTools, memoryStorage, openSession, uuidFor, withOffload, type Tool } from "hango";

// A page of 8,000 lines, on this machine.
const page = Array.from({ length: 8_000 }, (_, index) => `row ${index + 1}: ${"lorem ipsum ".repeat(2).trim()}`).join("\n");
const server = createServer((_request, response) => response.end(page));
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

const httpFetch: Tool = {
  name: "http_fetch",
  description: "Fetches a URL.",
  inputSchema: {},
  execute: async () => ({ isError: false, forModel: await (await fetch(url)).text() }),
};

const storage = memoryStorage();
const session = openSession({ storage, sessionId: uuidFor("exercise 2") });
const result = await withOffload(session, httpFetch).execute({}, { toolCallId: "call_1" });
const preview = String(result.forModel);
const offload = result.details?.["offload"] ?? {};
const { path = "", tokensBefore, tokensAfter, saved } = offload as { path?: string; tokensBefore?: number; tokensAfter?: number; saved?: boolean };

console.log(preview);
console.log(`saved: ${saved}; tokens before ${tokensBefore}, after ${tokensAfter}; the preview has under 1000 characters: ${preview.length < 1000}`);

// The model reads on as the preview says; another session sees nothing of it, and the file is whole.
const readFile = (sessionId: string): Tool | undefined => fileTools(openSession({ storage, sessionId })).find(({ name }) => name === "read_file");
console.log((await readFile(uuidFor("exercise 2"))?.execute({ path, offset: 4_000, limit: 1 }, { toolCallId: "2" }))?.forModel);
console.log((await readFile(uuidFor("another session"))?.execute({ path }, { toolCallId: "3" }))?.forModel);
console.log(`bytes kept: ${(await createFileSystem(storage).stat(path)).sizeBytes} of ${page.length}`);

server.close();
