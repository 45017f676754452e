import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bytesOf, ENGINES, openSubject, type Subject, textAt } from "../../../../../../test/support/postgres-subject.ts";
import type { FileData, Namespace } from "../../../storage.ts";
import type { LoadFile } from "./chunk.ts";
import type { LoadReport } from "./report.ts";

const file = (path: string, text: string, more: Partial<LoadFile> = {}): LoadFile => ({ path, bytes: bytesOf(text), ...more });
/** The counts that are not 0. */
const counts = (report: LoadReport): Partial<LoadReport> =>
  Object.fromEntries(Object.entries(report).filter(([, value]) => typeof value === "number" && value !== 0));

async function dumped(subject: Subject, namespace: Namespace, options = {}): Promise<readonly FileData[]> {
  const files: FileData[] = [];
  for await (const file of subject.storage.dump(namespace, options)) files.push(file);
  return files;
}

describe.each(ENGINES)("a load on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine);
  });
  afterAll(async () => {
    await subject?.close();
  });

  /** Recounted from the rows themselves. */
  async function isCounted(namespace: Namespace): Promise<boolean> {
    const { files, bytes } = await subject.storage.usage(namespace);
    const [row] = await subject.query(
      "select count(*)::int as files, coalesce(sum(size_bytes), 0)::int as bytes from hango.agent_files where tenant_id = $1::uuid and agent_id = $2::uuid",
      [namespace.tenantId, namespace.agentId],
    );
    return files === row?.["files"] && bytes === row?.["bytes"];
  }

  it("brings back what it took in, byte for byte, with types and times, and counts and records it", async () => {
    const namespace = subject.namespace();
    const at = new Date("2020-02-03T04:05:06.789Z");
    const files: readonly LoadFile[] = [
      file("empty.txt", ""),
      file("crlf.txt", "a\r\nb\r\n"),
      file("bom.md", "\uFEFF# x", { updatedAt: at }),
      file("memories/a.md", "kept for prompts"),
      file("深い/ファイル 😀.md", "names"),
      file("a-b", "before a/"),
      file("a/b.json", "{}", { contentType: "text/x-mine", updatedAt: new Date(-1) }),
      { path: "z.bin", bytes: Uint8Array.of(0, 255, 1, 254) },
      { path: "latin1.txt", bytes: Uint8Array.of(0xe9) },
    ];
    const report = await subject.storage.load(namespace, files);
    const bytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(counts(report)).toEqual({ files: 9, bytes });
    const back = await dumped(subject, namespace);
    expect(back.map(({ info }) => info.path)).toEqual([
      "a-b",
      "a/b.json",
      "bom.md",
      "crlf.txt",
      "empty.txt",
      "latin1.txt",
      "memories/a.md",
      "z.bin",
      "深い/ファイル 😀.md",
    ]);
    for (const { path, bytes } of files) expect(back.find(({ info }) => info.path === path)?.bytes).toEqual(bytes);
    const infoOf = (path: string): FileData["info"] | undefined => back.find(({ info }) => info.path === path)?.info;
    expect(infoOf("bom.md")).toMatchObject({ contentType: "text/markdown", updatedAt: at });
    expect(infoOf("a/b.json")).toMatchObject({ contentType: "text/x-mine", updatedAt: new Date(-1) });
    expect(infoOf("z.bin")?.contentType).toBe("application/octet-stream");
    expect(await subject.storage.scope(namespace).read("z.bin")).toEqual(back.find(({ info }) => info.path === "z.bin"));
    expect(await isCounted(namespace)).toBe(true);
    const events = await subject.storage.events(namespace);
    expect(events.length).toBe(9);
    expect(events[0]).toMatchObject({ action: "file.write", outcome: "ok", actor: "operator" });
    expect(new Set(events.map(({ version }) => version))).toEqual(new Set(back.map(({ info }) => info.version)));
  });

  it("leaves alone what is there with other bytes, passes by what is equal, and says so; overwrite moves the version and keeps the type", async () => {
    const namespace = subject.namespace();
    const storage = subject.storage.scope(namespace);
    const old = await storage.write("mine.txt", bytesOf("mine"), { contentType: "text/x-old" });
    await storage.write("same.txt", bytesOf("same"));
    const files = [file("mine.txt", "theirs"), file("same.txt", "same"), file("new.txt", "new")];
    const report = await subject.storage.load(namespace, files);
    expect(counts(report)).toEqual({ files: 1, bytes: 3, unchanged: 1, kept: 1 });
    expect(report.left).toEqual([{ path: "/mine.txt", kind: "kept", reason: "another file is there" }]);
    expect(await textAt(storage, "mine.txt")).toBe("mine");
    expect(counts(await subject.storage.load(namespace, files, { overwrite: "always" }))).toEqual({ replaced: 1, bytes: 6, unchanged: 2 });
    const { info } = await storage.read("mine.txt");
    expect(info).toMatchObject({ contentType: "text/x-old", sizeBytes: 6 });
    expect(info.version).toBe(old.version.replace(/\.1$/, ".2"));
    expect((await subject.storage.events(namespace, { limit: 1 }))[0]).toMatchObject({
      path: "/mine.txt",
      version: info.version,
      previousVersion: old.version,
    });
    expect(await isCounted(namespace)).toBe(true);
    await expect(storage.write("mine.txt", bytesOf("stale"), { ifVersion: old.version })).rejects.toMatchObject({ code: "conflict" });
  });

  it("with “newer” writes over older files only", async () => {
    const namespace = subject.namespace();
    const [then, later] = [new Date("2021-01-01"), new Date("2021-01-02")];
    await subject.storage.load(namespace, [file("a", "1", { updatedAt: then }), file("b", "1", { updatedAt: later }), file("c", "1", { updatedAt: then })]);
    const again = [file("a", "2", { updatedAt: later }), file("b", "2", { updatedAt: then }), file("c", "2", { updatedAt: then })];
    expect(counts(await subject.storage.load(namespace, again, { overwrite: "newer" }))).toEqual({ replaced: 1, bytes: 1, older: 2 });
    expect(counts(await subject.storage.load(namespace, again, { overwrite: "newer", atomic: true }))).toEqual({ unchanged: 1, older: 2 });
  });

  it.each([
    ["..", '".."'],
    ["/abs", "leading slash"],
    ["a\\b", "backslash"],
    ["a/./b", "current-directory"],
    ["Memories/x", "another spelling of a reserved name"],
    ["skills", "another spelling of a reserved name"],
    ["large_tool_results/x/y", "only hango itself writes"],
    ["Conversation_History/x.md", "only hango itself writes"],
  ])("refuses %s, and stores what stands around it", async (path, reason) => {
    const namespace = subject.namespace();
    const report = await subject.storage.load(namespace, [file("before", "x"), file(path, "x"), file("zz", "x")]);
    expect(counts(report)).toEqual({ files: 2, bytes: 2, refused: 1 });
    expect(report.left[0]?.reason).toContain(reason);
  });

  it("takes a file of the limit, and refuses one byte more", async () => {
    const namespace = subject.namespace();
    const sized = (path: string, length: number): LoadFile => ({ path, bytes: new Uint8Array(length).fill(97) });
    const report = await subject.storage.load(namespace, [sized("under", 1_048_575), sized("at", 1_048_576), sized("over", 1_048_577)]);
    expect(counts(report)).toEqual({ files: 2, bytes: 2_097_151, refused: 1 });
    expect(report.left).toEqual([{ path: "/over", kind: "refused", reason: "over 1048576 bytes" }]);
  });

  it("never makes a file of a directory or a directory of a file, of the store's or its own", async () => {
    const namespace = subject.namespace();
    await subject.storage.load(namespace, [file("dir/a/b", "x"), file("file", "x")]);
    const report = await subject.storage.load(namespace, [
      file("dir", "y"),
      file("file/x/y", "y"),
      file("dir/a", "y"),
      file("own", "y"),
      file("own/x", "y"),
      file("low/x", "y"),
      file("low", "y"),
    ]);
    expect(counts(report)).toEqual({ files: 2, bytes: 2, refused: 5 });
    expect(report.left.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      "/dir: a directory is there",
      "/file/x/y: a file is where its directory would be",
      "/dir/a: a directory is there",
      "/own/x: a file is where its directory would be",
      "/low: a directory is there",
    ]);
  });

  it("takes the last of two files of one name, as tar does, also when nothing may be written over", async () => {
    const namespace = subject.namespace();
    const report = await subject.storage.load(namespace, [file("a", "first"), file("b", "b"), file("a", "second"), file("a", "second")]);
    expect(counts(report)).toEqual({ files: 2, replaced: 1, bytes: 12, unchanged: 1 });
    expect(await textAt(subject.storage.scope(namespace), "a")).toBe("second");
  });

  it("in one piece stores all or nothing: a file that would be kept, or can't be stored, undoes the rest", async () => {
    const namespace = subject.namespace();
    const storage = subject.storage.scope(namespace);
    await storage.write("mine.txt", bytesOf("mine"));
    const big = Array.from({ length: 12 }, (_, n) => file(`big/${n}`, `${n}`.padEnd(1_000_000, "x")));
    await expect(subject.storage.load(namespace, [...big, file("mine.txt", "theirs")], { atomic: true })).rejects.toMatchObject({
      code: "already_exists",
      message: "Nothing was stored, since all or nothing was asked for. 1 file is there with other content: /mine.txt.",
    });
    await expect(subject.storage.load(namespace, [...big, file("../x", "x")], { atomic: true })).rejects.toMatchObject({ code: "invalid_argument" });
    expect(await subject.storage.usage(namespace)).toEqual({ files: 1, bytes: 4 });
    const report = await subject.storage.load(namespace, [...big, file("mine.txt", "theirs")], { atomic: true, overwrite: "always" });
    expect(counts(report)).toEqual({ files: 12, replaced: 1, bytes: 12_000_006 });
    expect(await isCounted(namespace)).toBe(true);
    expect(await textAt(storage, "mine.txt")).toBe("theirs");
  });

  it.each([false, true])("stops at a quota and keeps the counts exact (in one piece: %s)", async (atomic) => {
    const namespace = subject.namespace();
    await subject.storage.setQuota(namespace, { maxBytes: 10_000_000 });
    const reports: LoadReport[] = [];
    const big = Array.from({ length: 20 }, (_, n) => file(`big/${n}`, `${n}`.padEnd(1_000_000, "x")));
    const load = subject.storage.load(namespace, big, { atomic, onProgress: (report) => reports.push(report) });
    await expect(load).rejects.toMatchObject({ code: "quota_exceeded", message: expect.stringContaining("of 10000000 bytes in use") as unknown });
    const { files } = await subject.storage.usage(namespace);
    expect(files).toBe(atomic ? 0 : reports.at(-1)?.files);
    expect(files).toBe(atomic ? 0 : 10);
    expect(await isCounted(namespace)).toBe(true);
  });

  it.each([false, true])("ends between two transactions when it is aborted, and knows what is stored (in one piece: %s)", async (atomic) => {
    const namespace = subject.namespace();
    const stop = new AbortController();
    const reports: LoadReport[] = [];
    const big = Array.from({ length: 20 }, (_, n) => file(`big/${n}`, `${n}`.padEnd(1_000_000, "x")));
    function onProgress(report: LoadReport): void {
      reports.push(report);
      stop.abort(new Error("enough"));
    }
    await expect(subject.storage.load(namespace, big, { atomic, signal: stop.signal, onProgress })).rejects.toThrow("enough");
    expect((await subject.storage.usage(namespace)).files).toBe(atomic ? 0 : reports.at(-1)?.files);
    expect(counts(await subject.storage.load(namespace, big, { atomic })).files).toBe(20 - (atomic ? 0 : (reports.at(-1)?.files ?? 0)));
  });

  it("undoes it all when the source of the files fails", async () => {
    const namespace = subject.namespace();
    function* failing(): Generator<LoadFile> {
      for (let n = 0; n < 10; n++) yield file(`big/${n}`, `${n}`.padEnd(1_000_000, "x"));
      throw new Error("the disk is gone");
    }
    await expect(subject.storage.load(namespace, failing(), { atomic: true })).rejects.toThrow("the disk is gone");
    expect((await subject.storage.usage(namespace)).files).toBe(0);
    await expect(subject.storage.load(namespace, failing())).rejects.toThrow("the disk is gone");
    expect(await isCounted(namespace)).toBe(true);
  });

  it("takes 5,000 small files, and dumps them page by page, also from a prefix, without what is filtered", async () => {
    const namespace = subject.namespace();
    const files = Array.from({ length: 5_000 }, (_, n) => file(`d${n % 7}/f${String(n).padStart(5, "0")}`, `content of ${n}`));
    expect((await subject.storage.load(namespace, files)).files).toBe(5_000);
    expect((await dumped(subject, namespace)).map(({ info }) => info.path)).toEqual(files.map(({ path }) => path).toSorted());
    expect((await dumped(subject, namespace, { prefix: "d3" })).length).toBe(714);
    expect((await dumped(subject, namespace, { prefix: "d3/f00003" })).length).toBe(1);
    expect((await dumped(subject, namespace, { filters: [{ hide: ["d3/"], show: ["d3/f00003"] }] })).length).toBe(5_000 - 713);
  });

  it("gives the connection back when a dump is left early, or the load of a dump's own files ends", async () => {
    const [from, to] = [subject.namespace(), subject.namespace()];
    await subject.storage.load(
      from,
      Array.from({ length: 2_500 }, (_, n) => file(`f${n}`, `${n}`)),
    );
    for (let round = 0; round < 12; round++) for await (const _ of subject.storage.dump(from)) break;
    async function* copied(): AsyncGenerator<LoadFile> {
      for await (const { info, bytes } of subject.storage.dump(from)) yield { path: info.path, bytes };
    }
    expect((await subject.storage.load(to, copied())).files).toBe(2_500);
  });

  it("keeps files and directories apart in a race with writers, and never loses a count", async () => {
    const namespace = subject.namespace();
    const storage = subject.storage.scope(namespace);
    const names = Array.from({ length: 60 }, (_, n) => `n${n}`);
    const writes = names.map(async (name) => storage.write(`${name}/below`, bytesOf("w")).catch(() => undefined));
    const loads = [names.slice(0, 30), names.slice(30)].map((some) =>
      subject.storage.load(
        namespace,
        some.map((name) => file(name, "l")),
      ),
    );
    const atomic = subject.storage
      .load(
        namespace,
        names.map((name) => file(`${name}/other`, "o")),
        { atomic: true },
      )
      .catch(() => undefined);
    await Promise.all([...writes, ...loads, atomic]);
    const paths = new Set((await storage.list()).map(({ path }) => path));
    for (const name of names) expect([...paths].some((path) => path === name) && [...paths].some((path) => path.startsWith(`${name}/`))).toBe(false);
    expect(await isCounted(namespace)).toBe(true);
  });
});
