import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOverlay, isHangoError, type Namespace, type Storage } from "hango";
import { faultyStorage } from "../../packages/hango/src/layers/faulty.ts";
import { freshSeed, seededRandom } from "../../packages/hango/src/testing/random.ts";
import { bytesOf, openSubject, type Subject } from "../support/postgres-subject.ts";
import { ROUND_FILES } from "./rounds.ts";

const seed = Number(process.env["HANGO_SEED"] ?? freshSeed());
const cycles = Number(process.env["HANGO_KILL_CYCLES"] ?? 4);

describe(`an overlay over Postgres (HANGO_SEED=${seed})`, () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject("postgres", { maxConnections: 16 });
  });
  afterAll(() => subject.close());

  async function tree(count: number): Promise<{ readonly base: Storage; readonly namespace: Namespace }> {
    const namespace = subject.namespace();
    const base = subject.storage.scope(namespace);
    await base.apply?.(Array.from({ length: count }, (_, index) => ({ kind: "create", path: pathOf(index), bytes: bytesOf(`base ${index}`) }) as const));
    return { base, namespace };
  }
  const pathOf = (index: number): string => `d${index % 10}/f${String(index).padStart(4, "0")}`;
  const state = async (storage: Storage): Promise<readonly string[]> => (await storage.list()).map(({ path, version }) => `${path} ${version}`);

  it("commits 1,000 changes, or names every one of a thousand paths that moved and changes nothing", async () => {
    const { base, namespace } = await tree(1_000);
    const overlay = createOverlay({ base });
    await overlay.storage.apply?.(
      Array.from({ length: 1_000 }, (_, index) =>
        index % 4 === 0
          ? ({ kind: "delete", path: pathOf(index) } as const)
          : index % 4 === 1
            ? ({ kind: "create", path: `new/${index}`, bytes: bytesOf("new") } as const)
            : ({ kind: "modify", path: pathOf(index), bytes: bytesOf(`BASE ${index}`) } as const),
      ),
    );
    const other = createOverlay({ base });
    await other.storage.apply?.(Array.from({ length: 1_000 }, (_, index) => ({ kind: "modify", path: pathOf(index), bytes: bytesOf("other") }) as const));
    expect(await overlay.commit()).toHaveLength(750);
    expect(await subject.storage.usage(namespace)).toMatchObject({ files: 1_000 });
    const before = await state(base);
    const error = await other.commit().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(isHangoError(error, "conflict") && error.details?.["paths"]).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index)
        .filter((index) => index % 4 !== 1)
        .map((index) => `/${pathOf(index)}`)
        .sort(),
    );
    expect([await state(base), (await other.changes()).length]).toEqual([before, 1_000]);
  });

  it("is all or nothing at every call that fails, also when the answer is lost, and a retry finishes it", async () => {
    for (const when of ["before", "after"] as const)
      for (let call = 1; ; call++) {
        const { base } = await tree(12);
        const before = await state(base);
        let met = false;
        const overlay = createOverlay({ base: faultyStorage(base, { on: "apply", call, when, onFault: () => (met = true) }) });
        for (let index = 0; index < 12; index++)
          await (index % 2 === 0 ? overlay.storage.delete(pathOf(index)) : overlay.storage.write(pathOf(index), bytesOf(`draft ${index}`)));
        for (let index = 0; index < 8; index++) await overlay.storage.write(`new/${index}`, bytesOf("new"));
        const done = await overlay.commit().then(
          () => true,
          () => false,
        );
        expect([met, done]).toEqual([call === 1, call !== 1]);
        const now = await state(base);
        if (when === "before" && met) expect(now).toEqual(before);
        else expect(now).toHaveLength(14);
        await overlay.commit();
        expect([(await base.list()).length, await overlay.changes()]).toEqual([14, []]);
        if (when === "after" && met) expect(await state(base), "a retry writes nothing twice").toEqual(now);
        if (!met) break;
      }
  });

  it("lets 16 overlapping commits run at once: none meets a deadlock, and each is whole or not at all", async () => {
    const random = seededRandom(seed);
    const { base, namespace } = await tree(60);
    let committed = 0;
    for (let round = 0; round < 4; round++) {
      const overlays = Array.from({ length: 16 }, () => createOverlay({ base }));
      const sets = await Promise.all(
        overlays.map(async ({ storage }, number) => {
          const paths = [...new Set(Array.from({ length: 25 }, () => pathOf(random.below(60))))];
          const marker = `r${round}-${number}`;
          for (const path of paths) {
            const isThere = (await storage.stat(path)) !== undefined;
            await (isThere && random.oneIn(4) ? storage.delete(path) : storage.write(path, bytesOf(`${marker} ${"x".repeat(random.below(40))}`)));
          }
          return { marker, paths };
        }),
      );
      const ends = await Promise.allSettled(overlays.map(({ commit }) => commit()));
      for (const [number, end] of ends.entries()) {
        if (end.status === "fulfilled") committed += 1;
        else expect(end.reason, `round ${round}, overlay ${number}`).toMatchObject({ code: "conflict", details: { paths: expect.any(Array) } });
      }
      for (const { path } of await base.list()) {
        const [marker] = new TextDecoder().decode((await base.read(path)).bytes).split(" ");
        const number = sets.findIndex((set) => set.marker === marker);
        if (number >= 0) expect([ends[number]?.status, sets[number]?.paths.includes(path)]).toEqual(["fulfilled", true]);
      }
    }
    expect(committed).toBeGreaterThanOrEqual(4);
    const files = await base.list();
    expect(await subject.storage.usage(namespace)).toMatchObject({ files: files.length, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) });
  });

  it("is all or nothing when the process is killed: every file of a round, or none", { timeout: 300_000 }, async () => {
    const random = seededRandom(seed);
    const namespace = { tenantId: randomUUID(), agentId: randomUUID() };
    const base = subject.storage.scope(namespace);
    const child = fileURLToPath(new URL("./commit-child.ts", import.meta.url));
    let acknowledged = 0;
    for (let cycle = 0; cycle < cycles; cycle++) {
      acknowledged = Math.max(acknowledged, await killedAfter([child, subject.url, namespace.tenantId, namespace.agentId], random.below(300)));
      await settled(subject);
      const rounds = new Set<number>();
      const files = await base.list();
      for (const { path } of files) rounds.add(Number.parseInt(new TextDecoder().decode((await base.read(path)).bytes), 10));
      const [round = 0] = rounds;
      expect([rounds.size, files.length, files.at(-1)?.path], `cycle ${cycle}`).toEqual([1, ROUND_FILES + 1, `z/round-${round}`]);
      // What was acknowledged is there; one more may be, whose answer did not come through.
      expect([acknowledged, acknowledged + 1], `cycle ${cycle}`).toContain(round);
    }
  });
});

/** Answers the last round that was acknowledged. */
async function killedAfter(args: readonly string[], ms: number): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  let timer: NodeJS.Timeout | undefined;
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    timer ??= setTimeout(() => child.kill("SIGKILL"), ms);
  });
  await new Promise<void>((resolve, reject) => {
    child.once("close", (code, signal) => (signal === "SIGKILL" ? resolve() : reject(new Error(`the committing process ended by itself with ${code}`))));
  });
  return Number(printed.slice(0, printed.lastIndexOf("\n")).split("\n").at(-1));
}

/** The server carries out what it had received, also when the sender is gone. */
async function settled(subject: Subject): Promise<void> {
  const text =
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()";
  for (let tries = 0; tries < 200; tries++) {
    if (Number((await subject.query(text))[0]?.["n"]) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("a commit of a killed process runs on");
}
