import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HangoError } from "../../errors.ts";
import type { FileEvent, Storage } from "../../storage.ts";
import { parseGlob } from "../../text/glob.ts";
import { parsePattern } from "../../text/pattern/pattern.ts";
import type { Driver } from "./driver/driver.ts";
import { storageOver } from "./postgres-storage.ts";
import { bytesOf, ENGINES, openSubject, type Subject, textAt } from "../../../../../test/support/postgres-subject.ts";

describe.each(ENGINES)("on %s", (engine) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject(engine);
  });
  afterAll(() => subject.close());
  const fresh = (): Storage => subject.storage.scope(subject.namespace());

  describe("a namespace", () => {
    it("that is not two UUIDs is refused before any SQL", async () => {
      expect(() => subject.storage.scope({ tenantId: "acme", agentId: "1" })).toThrow(/tenantId must be a UUID.*uuidFor/);
      await expect(subject.storage.usage({ tenantId: subject.namespace().tenantId, agentId: "' or 1=1" })).rejects.toMatchObject({ code: "invalid_argument" });
    });

    it("is the same in upper case", async () => {
      const namespace = subject.namespace();
      await subject.storage.scope(namespace).write("a", bytesOf("x"));
      expect(await textAt(subject.storage.scope({ tenantId: namespace.tenantId.toUpperCase(), agentId: namespace.agentId.toUpperCase() }), "a")).toBe("x");
    });
  });

  it("matches a glob of many stars itself: the server took 5 s over 3,000 paths, and kept everyone on PGlite waiting", async () => {
    const sent: string[] = [];
    const driver: Driver = {
      ...subject.driver,
      run: (statements, options) => {
        sent.push(...statements.map(({ text }) => text));
        return subject.driver.run(statements, options);
      },
    };
    const storage = storageOver(driver).scope(subject.namespace());
    for (const path of ["xaab/y/q", "xaab/y/p"]) await storage.write(path, bytesOf("x"));
    const glob = async (pattern: string): Promise<readonly string[]> => {
      sent.length = 0;
      return storage.glob({ pattern: parseGlob(pattern), root: "", limit: 10 });
    };
    expect(await glob("**/*a*b/**/*q*")).toEqual(["xaab/y/q"]);
    expect(sent.some((text) => text.includes(" ~ "))).toBe(true);
    expect(await glob(`{**/*a*b/**/*q*,${"**/*a??????b*/".repeat(20)}*q*}`)).toEqual(["xaab/y/q"]);
    expect(sent.some((text) => text.includes(" ~ "))).toBe(false);
  });

  describe("names", () => {
    it("hold every character that SQL gives a meaning to", async () => {
      const storage = fresh();
      const names = [
        "100%",
        "a_b",
        "aXb",
        "it's",
        'quo"te',
        "$1",
        "semi;colon--",
        "\u{1F600}.md",
        "\uff61",
        "e\u0301",
        "\u00e9",
        "[id]",
        "a*b",
        "(x)",
        "{y}",
        "tab-like",
      ];
      for (const name of names) await storage.write(`dir_%/${name}`, bytesOf(name));
      await storage.write("dirX%/other", bytesOf("no"));
      expect((await storage.list({ prefix: "dir_%" })).map(({ path }) => path).toSorted()).toEqual(names.map((name) => `dir_%/${name}`).toSorted());
      expect(await storage.ls("dir_%")).toHaveLength(names.length);
      for (const name of names) {
        expect(await textAt(storage, `dir_%/${name}`)).toBe(name);
        await storage.delete(`dir_%/${name}`);
      }
      expect((await storage.list()).map(({ path }) => path)).toEqual(["dirX%/other"]);
    });
  });

  describe("content", () => {
    it("comes back byte for byte: marks, odd line ends, the last code point, binary", async () => {
      const storage = fresh();
      const contents = ["\ufeffmark", "\ufeff\ufefftwo marks", "\ufeff", "a\r\n\r\rb", "\u{10ffff}\u{1F600}", "\\x41 '{}\" \\ $1", ""].map(bytesOf);
      for (const bytes of [...contents, Uint8Array.of(0), Uint8Array.of(0xff, 0xfe, 0, 1), Uint8Array.of(0xed, 0xa0, 0x80)]) {
        const info = await storage.write("f", bytes);
        expect([info.sizeBytes, [...(await storage.read("f")).bytes]]).toEqual([bytes.length, [...bytes]]);
      }
    });

    it("in a commit comes back byte for byte too", async () => {
      const storage = fresh();
      const contents = [bytesOf('\ufeff{a,"b"}\\n,NULL'), bytesOf("NULL"), bytesOf(""), Uint8Array.of(0, 1, 0x5c, 0x22, 0xff), bytesOf("'\\'")];
      await storage.apply?.(contents.map((bytes, at) => ({ kind: "create", path: `f${at}`, bytes })));
      for (const [at, bytes] of contents.entries()) expect([...(await storage.read(`f${at}`)).bytes]).toEqual([...bytes]);
    });

    it("of lines and of grep keeps a mark that is not the file's first character", async () => {
      const storage = fresh();
      await storage.write("f", bytesOf("\ufeff\ufeffone\n\ufefftwo\n"));
      const page = await storage.lines("f", { offset: 1, limit: 9, column: 1, maxLineChars: 100 });
      expect(page.lines.map((line) => line.text)).toEqual(["\ufeffone", "\ufefftwo"]);
    });
  });

  describe("the record", () => {
    it("has a row of each write, delete and commit, of the same transaction, newest first", async () => {
      const namespace = subject.namespace();
      const storage = subject.storage.scope(namespace);
      const origin = { actor: "agent", sessionId: "5c0b7ad4-0000-4000-8000-000000000001", principal: "ann", tool: "write_file", toolCallId: "call_1" } as const;
      const first = await storage.write("a", bytesOf("one"), { origin });
      const second = await storage.write("a", bytesOf("three"));
      await storage.delete("a", { origin });
      const [made] = (await storage.apply?.([{ kind: "create", path: "b", bytes: bytesOf("b") }], { origin })) ?? [];
      await storage.record?.({ action: "file.write", outcome: "denied", path: "memories/x", reason: "reserved" }, { origin });
      const events = await subject.storage.events(namespace);
      const who = { actor: "agent", sessionId: origin.sessionId, principal: "ann", tool: "write_file", toolCallId: "call_1" };
      expect(events.map(({ id: _id, at: _at, ...event }) => event)).toEqual([
        { action: "file.write", outcome: "denied", path: "/memories/x", reason: "reserved", ...who },
        { action: "file.write", outcome: "ok", path: "/b", version: made?.version, sizeBytes: 1, ...who },
        { action: "file.delete", outcome: "ok", path: "/a", previousVersion: second.version, sizeBytes: 5, ...who },
        { action: "file.write", outcome: "ok", path: "/a", version: second.version, previousVersion: first.version, sizeBytes: 5, actor: "operator" },
        { action: "file.write", outcome: "ok", path: "/a", version: first.version, sizeBytes: 3, ...who },
      ]);
      const page = await subject.storage.events(namespace, { limit: 2, after: events[1]!.id });
      expect(page.map(({ id }) => id)).toEqual(events.slice(2, 4).map(({ id }) => id));
    });

    it('keeps what a model made odd, without failing the change for it: "Text must be well-formed Unicode without NUL characters"', async () => {
      const namespace = subject.namespace();
      const storage = subject.storage.scope(namespace);
      await storage.write("a", bytesOf("x"), { origin: { actor: "agent", toolCallId: "call\0\ud800", tool: "write_file" } });
      await storage.record?.({ action: "file.write", outcome: "denied", path: "b", reason: "no\0" } as FileEvent, { origin: { actor: "agent" } });
      expect((await subject.storage.events(namespace)).map(({ toolCallId, reason }) => [toolCallId, reason])).toEqual([
        [undefined, "no\u2400"],
        ["call\u2400\ufffd", undefined],
      ]);
    });

    it("is asked with the id of an event only, where another text was an internal error", async () => {
      await expect(subject.storage.events(subject.namespace(), { after: "x" })).rejects.toMatchObject({ code: "invalid_argument" });
    });

    it("has no row of a change that was refused", async () => {
      const namespace = subject.namespace();
      const storage = subject.storage.scope(namespace);
      await storage.write("a", bytesOf("x"));
      await expect(storage.write("a", bytesOf("y"), { ifVersion: "absent" })).rejects.toMatchObject({ code: "already_exists" });
      await expect(storage.delete("a", { ifVersion: "other.1" })).rejects.toMatchObject({ code: "conflict" });
      await expect(
        storage.apply?.([
          { kind: "create", path: "b", bytes: bytesOf("b") },
          { kind: "delete", path: "none" },
        ]),
      ).rejects.toMatchObject({ code: "conflict" });
      expect(await subject.storage.events(namespace)).toHaveLength(1);
    });
  });

  it("takes every limit that the contract allows, where one over 2147483647 was an internal error", async () => {
    const storage = fresh();
    await storage.write("a", bytesOf("x"));
    const limit = 2 ** 40;
    expect([(await storage.list({ limit })).length, (await storage.ls("", { limit })).length]).toEqual([1, 1]);
    expect(await storage.glob({ pattern: parseGlob("*"), root: "", limit })).toEqual(["a"]);
    expect(await storage.grep({ pattern: parsePattern("x"), root: "", context: 0, limit })).toHaveLength(1);
  });

  describe("quotas", () => {
    it("with a misspelled limit are refused, which lifted the one that was set", async () => {
      const namespace = subject.namespace();
      await subject.storage.setQuota(namespace, { maxFiles: 1 });
      for (const quota of [{ files: 5 }, null])
        await expect(subject.storage.setQuota(namespace, quota as never)).rejects.toMatchObject({ code: "invalid_argument" });
      expect(await subject.storage.usage(namespace)).toEqual({ files: 0, bytes: 0, maxFiles: 1 });
    });

    it("refuse the first file or byte too many, and name the limit and the use", async () => {
      const namespace = subject.namespace();
      const storage = subject.storage.scope(namespace);
      await subject.storage.setQuota(namespace, { maxFiles: 2, maxBytes: 10 });
      await storage.write("a", bytesOf("12345"));
      await storage.write("b", bytesOf("12345"));
      const refused = { code: "quota_exceeded", message: expect.stringMatching(/\/c was not written.*2 of 2 files in use, 10 of 10 bytes in use/) };
      await expect(storage.write("c", bytesOf(""))).rejects.toMatchObject(refused);
      await expect(storage.write("b", bytesOf("123456"))).rejects.toMatchObject({
        code: "quota_exceeded",
        details: { files: 2, bytes: 10, maxFiles: 2, maxBytes: 10 },
      });
      await expect(
        storage.apply?.([
          { kind: "delete", path: "a" },
          { kind: "create", path: "c", bytes: bytesOf("123456") },
        ]),
      ).rejects.toMatchObject({ code: "quota_exceeded" });
      expect([await textAt(storage, "a"), await textAt(storage, "b")]).toEqual(["12345", "12345"]);
      await storage.apply?.([
        { kind: "delete", path: "a" },
        { kind: "create", path: "c", bytes: bytesOf("12345") },
      ]);
      await storage.write("b", bytesOf("1"));
      expect(await subject.storage.usage(namespace)).toEqual({ files: 2, bytes: 6, maxFiles: 2, maxBytes: 10 });
      await storage.delete("b");
      expect(await subject.storage.usage(namespace)).toMatchObject({ files: 1, bytes: 5 });
    });

    it("cannot be set below the use, and are lifted by leaving them out", async () => {
      const namespace = subject.namespace();
      expect(await subject.storage.usage(namespace)).toEqual({ files: 0, bytes: 0 });
      await subject.storage.scope(namespace).write("a", bytesOf("12345"));
      await expect(subject.storage.setQuota(namespace, { maxBytes: 4 })).rejects.toMatchObject({
        code: "quota_exceeded",
        message: expect.stringContaining("1 files of 5 bytes"),
      });
      await subject.storage.setQuota(namespace, { maxBytes: 5 });
      await subject.storage.setQuota(namespace, {});
      expect(await subject.storage.usage(namespace)).toEqual({ files: 1, bytes: 5 });
      await expect(subject.storage.setQuota(namespace, { maxFiles: -1 })).rejects.toMatchObject({ code: "invalid_argument" });
    });
  });

  it("erase takes everything of one namespace and nothing of another", async () => {
    const [mine, other] = [subject.namespace(), subject.namespace()];
    for (const namespace of [mine, { ...mine, agentId: other.agentId }, other]) {
      await subject.storage.scope(namespace).write("a/b", bytesOf("12345"));
      await subject.storage.scope(namespace).write("c", bytesOf("1"));
    }
    await subject.storage.setQuota(mine, { maxFiles: 9 });
    expect(await subject.storage.erase(mine)).toEqual({ files: 2, bytes: 6 });
    expect(await subject.storage.erase(mine)).toEqual({ files: 0, bytes: 0 });
    expect([await subject.storage.usage(mine), await subject.storage.events(mine), await subject.storage.scope(mine).list()]).toEqual([
      { files: 0, bytes: 0 },
      [],
      [],
    ]);
    for (const namespace of [{ ...mine, agentId: other.agentId }, other])
      expect([(await subject.storage.usage(namespace)).files, (await subject.storage.events(namespace)).length]).toEqual([2, 2]);
  });

  it("without regular expressions of the server's own, glob and grep are derived and answer the same", async () => {
    const namespace = subject.namespace();
    const files = { "a.ts": "one\nhit\n", "d/b.ts": "hit", "d/c.md": "no" };
    for (const [path, text] of Object.entries(files)) await subject.storage.scope(namespace).write(path, bytesOf(text));
    const derived = storageOver({ ...subject.driver, capabilities: { ...subject.driver.capabilities, regex: false } }).scope(namespace);
    for (const storage of [derived, subject.storage.scope(namespace)]) {
      expect(await storage.glob({ pattern: parseGlob("*.ts"), root: "", limit: 9 })).toEqual(["a.ts", "d/b.ts"]);
      expect((await storage.grep({ pattern: parsePattern("^h"), root: "", context: 0, limit: 9 })).map(({ path, line }) => [path, line])).toEqual([
        ["a.ts", 2],
        ["d/b.ts", 1],
      ]);
    }
  });

  it("an event that can't be kept is unavailable, whatever the reason", async () => {
    const refusing: Driver = { ...subject.driver, run: () => Promise.reject(new HangoError("internal", "no")) };
    const storage = storageOver(refusing).scope(subject.namespace());
    await expect(storage.record?.({ action: "file.write", outcome: "denied", path: "a" })).rejects.toMatchObject({ code: "unavailable" });
  });

  it("an aborted call answers with the reason", async () => {
    const storage = fresh();
    await expect(storage.list({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});
