import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHangoError } from "hango";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../store.ts";
import { openNamespace } from "./workspace.ts";

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "hango-namespace-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe("a workspace over a database", () => {
  it("holds changes back, keeps large results for a later run of the session, and records what was denied", async () => {
    const options = { db: `pglite:${join(home, "db")}`, tenant: "acme", agent: "researcher", session: "thread 42" };
    const first = await openNamespace(options, { exclude: ["/secret"] });
    const text = Array.from({ length: 20_000 }, (_, i) => `row ${i}: something`).join("\n");
    const result = await first.session.offload({ isError: false, forModel: text }, { toolCallId: "1", toolName: "query" });
    const path = (result.details?.["offload"] as { readonly path: string } | undefined)?.path ?? "";
    await first.session.fs.write("/dropped.md", "never committed\n");
    for (const denied of ["/memories/planted.md", "/secret/a.md"])
      await expect(first.session.fs.write(denied, "x")).rejects.toSatisfy((error) => isHangoError(error, "forbidden"));
    expect((await first.overlay.changes()).map((change) => change.path)).toEqual(["dropped.md"]);
    await first.close();

    const second = await openNamespace(options, { exclude: [] });
    expect((await second.session.fs.read(path, { limit: 1 })).lines[0]?.text).toBe("row 0: something");
    await second.session.fs.write("/kept.md", "committed\n");
    await second.overlay.commit({ origin: { actor: "agent", sessionId: second.sessionId } });
    await second.close();

    const store = await openStore(options);
    const told = (await store.files.events(store.namespace)).map((event) => `${event.outcome} ${event.actor} ${event.path}`);
    expect(told.toSorted()).toEqual([`denied agent /memories/planted.md`, `denied agent /secret/a.md`, `ok agent /kept.md`, `ok system ${path}`].toSorted());
    expect(new Set((await store.files.events(store.namespace)).map(({ sessionId }) => sessionId))).toEqual(new Set([second.sessionId]));
    await store.close();
  });
});
