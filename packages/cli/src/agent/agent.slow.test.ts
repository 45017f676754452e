import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HANGO_BIN, ensureBuilt, userEnvironment } from "../built.test-support.ts";
import { type ChatServer, chatServer } from "./chat-server.test-support.ts";

const git = promisify(execFile);

let server: ChatServer;
let home = "";
let dir = "";
beforeAll(async () => {
  await ensureBuilt();
  server = await chatServer();
}, 180_000);
afterAll(() => server.close());
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "hango-agent-"));
  dir = join(home, "project");
  await put("src/a.ts", "export const foo = 1;\n");
  await put("src/b.ts", 'import { foo } from "./a.ts";\n');
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(join(dir, path, ".."), { recursive: true });
  await writeFile(join(dir, path), content);
}
const get = (path: string): Promise<string> => readFile(join(dir, path), "utf8");

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function ended(child: ChildProcess, react: (out: string) => void = () => undefined): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let out = "";
    let err = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      react(out);
    });
    child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

const options = (...args: readonly string[]): string[] => [HANGO_BIN, "agent", "--model", "test", "--base-url", server.url, ...args];

/** Nobody at the terminal. */
function hango(...args: readonly string[]): Promise<Ended> {
  return ended(spawn(process.execPath, options("--dir", dir, ...args), { cwd: home, env: userEnvironment(), stdio: ["ignore", "pipe", "pipe"] }));
}

/** Somebody at a terminal, who types when certain words appear. */
function atTerminal(args: readonly string[], typing: readonly (readonly [seen: string, typed: string])[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const command = [process.execPath, ...options("--dir", dir, ...args)].map((part) => `'${part}'`).join(" ");
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: home,
    env: userEnvironment(env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const left = [...typing];
  return ended(child, (out) => {
    const next = left[0];
    if (next === undefined || !out.includes(next[0])) return;
    left.shift();
    child.stdin.write(next[1]);
  });
}

const edit = (path: string, from: string, to: string): { tool: string; input: Record<string, unknown> } => ({
  tool: "edit_file",
  input: { path, old_string: from, new_string: to },
});
const rename = [
  { say: "I look.", calls: [{ tool: "grep", input: { pattern: "foo" } }] },
  { calls: [edit("/src/a.ts", "foo", "bar"), edit("/src/b.ts", "{ foo }", "{ bar }")] },
  {
    calls: [
      { tool: "write_file", input: { path: "/CHANGES.md", content: "foo is bar\n" } },
      { tool: "delete_file", input: { path: "/src/old.ts" } },
    ],
  },
  { say: "Renamed foo to bar." },
] as const;

describe("hango agent, the built binary", () => {
  it("applies the changes after a yes at the terminal, and names each path", async () => {
    server.play(rename);
    const { code, out } = await atTerminal(["rename foo to bar"], [["[y/N]", "y\n"]]);
    expect(out).toContain("✓ grep");
    expect(out).toContain("Renamed foo to bar.");
    expect(out).toContain("+export const bar = 1;");
    expect(out).toContain("3 files: 1 created, 2 modified; +3 −2 lines");
    expect(out).toMatch(/created {3}CHANGES\.md\r\nmodified {2}src\/a\.ts\r\nmodified {2}src\/b\.ts\r\n/);
    expect(code).toBe(0);
    expect(await get("src/a.ts")).toBe("export const bar = 1;\n");
    expect(await get("CHANGES.md")).toBe("foo is bar\n");
  });

  it.each(["n\n", "\n", "yep\n", "\u0004"])("changes nothing after %j", async (typed) => {
    server.play(rename);
    const { code, out } = await atTerminal(["rename foo to bar"], [["[y/N]", typed]]);
    expect(out).toContain("Nothing was changed.");
    expect(code).toBe(0);
    expect(await get("src/a.ts")).toBe("export const foo = 1;\n");
    expect(await readdir(dir)).toEqual(["src"]);
  });

  it("colours the diff at a terminal, and not where NO_COLOR is set", async () => {
    server.play(rename);
    expect((await atTerminal(["x", "--dry-run"], [], { NO_COLOR: undefined })).out).toContain("\u001B[32m+export const bar = 1;");
    server.play(rename);
    expect((await atTerminal(["x", "--dry-run"], [])).out).not.toContain("\u001B[3");
  });

  it("applies without a question with --yes", async () => {
    server.play(rename);
    expect(await hango("x", "--yes")).toMatchObject({ code: 0, err: "" });
    expect(await get("src/b.ts")).toBe('import { bar } from "./a.ts";\n');
  });

  it("applies nothing with --dry-run, nor where nobody can answer, and says so", async () => {
    server.play(rename);
    const dry = await hango("x", "--dry-run");
    expect(dry).toMatchObject({ code: 0, err: "hango: dry run: nothing was changed.\n" });
    expect(dry.out).toContain("-export const foo = 1;");
    server.play(rename);
    expect(await hango("x")).toMatchObject({ code: 0, err: expect.stringMatching(/nobody is here to answer\. --yes/) as unknown });
    expect(await get("src/a.ts")).toBe("export const foo = 1;\n");
  });

  it("writes a patch that git apply takes, without what no patch can carry, which it names", async () => {
    await put("logo.bin", new Uint8Array([0, 255, 254]));
    server.play([{ calls: [{ tool: "delete_file", input: { path: "/logo.bin" } }] }, ...rename]);
    const patch = join(home, "x.patch");
    const { code, err } = await hango("x", "--patch", patch);
    expect(code).toBe(0);
    expect(err).toContain("only text: logo.bin\n");
    expect(err).toContain(`“git -C ${dir} apply ${patch}” applies the changes.`);
    expect(await get("src/a.ts")).toBe("export const foo = 1;\n");
    await git("git", ["init", "-q"], { cwd: dir });
    await git("git", ["apply", patch], { cwd: dir });
    expect(await get("src/a.ts")).toBe("export const bar = 1;\n");
    expect(await get("CHANGES.md")).toBe("foo is bar\n");
  });

  it("writes nothing over a file that changed while the model worked, names it, and keeps the work", async () => {
    server.play([
      rename[1],
      async () => {
        await put("src/a.ts", "export const foo = 2; // by a person\n");
        return { say: "Done." };
      },
    ]);
    const { code, out } = await atTerminal(["x"], [["Save them", "y\n"]]);
    expect(code).toBe(4);
    // It was asked whether to apply what could not be applied, and the conflict came after the yes.
    expect(out).not.toContain("Apply these");
    expect(out).toMatch(/changed while the agent worked[^]*src\/a\.ts/);
    expect(await get("src/a.ts")).toBe("export const foo = 2; // by a person\n");
    const saved = (await readdir(home)).filter((name) => name.endsWith(".patch"));
    expect(saved).toHaveLength(1);
    expect(await readFile(join(home, saved[0] ?? ""), "utf8")).toContain("+export const bar = 1;");
  });

  it("leaves at Ctrl-C also where it asks whether to save, which nothing but a kill did", async () => {
    server.play([
      rename[1],
      async () => {
        await put("src/a.ts", "export const foo = 2; // by a person\n");
        return { say: "Done." };
      },
    ]);
    const { code } = await atTerminal(["x"], [["Save them", "\u0003"]]);
    expect(code).toBe(130);
    expect((await readdir(home)).filter((name) => name.endsWith(".patch"))).toEqual([]);
  });

  it("does not end with 0 when the reader of its output goes away before the changes of --yes are applied", async () => {
    server.play([{ say: "One.\n", ...rename[1] }, { say: "Two.\n" }, { say: "Three.\n" }]);
    const command = [process.execPath, ...options("--dir", dir, "x", "--yes")].map((part) => `'${part}'`).join(" ");
    const child = spawn("bash", ["-c", `${command} | head -1; exit \${PIPESTATUS[0]}`], { cwd: home, env: userEnvironment() });
    expect((await ended(child)).code).toBe(1);
    expect(await get("src/a.ts")).toBe("export const foo = 1;\n");
  });

  it("says which --exclude names nothing, and takes no pattern and no empty --dir", async () => {
    server.play([]);
    const { code, err } = await hango("x", "--exclude", "project/src", "--exclude", "src/a.ts");
    expect([code, err]).toEqual([
      0,
      "hango: --exclude /project/src: the agent sees no such file anyway. Is it spelled as in the directory, and from there on?\n",
    ]);
    expect(await hango("x", "--exclude", "*.env")).toMatchObject({ code: 2, err: expect.stringContaining("It must be a path such as /secrets") as unknown });
    expect(await hango("x", "--dir", "")).toMatchObject({ code: 2, err: expect.stringContaining("--dir is empty") as unknown });
    for (const flag of ["--no-ignore", "--accept-link-races"])
      expect(await ended(spawn(process.execPath, options("x", "--db", "pglite:db", flag), { cwd: home, env: userEnvironment() }))).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${flag} belongs to a directory`) as unknown,
      });
  });

  it("says the same where nobody can answer, with exit code 4", async () => {
    server.play([
      rename[1],
      async () => {
        await rm(join(dir, "src/a.ts"));
        return { say: "Done." };
      },
    ]);
    const { code, err } = await hango("x", "--yes");
    expect(code).toBe(4);
    expect(err).toContain("  src/a.ts\n");
    expect(err).toContain("--patch FILE");
    expect(await readdir(join(dir, "src"))).toEqual(["b.ts"]);
  });

  it("names the variable for a missing key before anything is opened", async () => {
    const nowhere = join(home, "nowhere");
    const run = (...args: readonly string[]): Promise<Ended> =>
      ended(
        spawn(process.execPath, [HANGO_BIN, "agent", "x", "--dir", nowhere, ...args], {
          cwd: home,
          env: userEnvironment(),
          stdio: ["ignore", "pipe", "pipe"],
        }),
      );
    expect(await run("--model", "openai/gpt-5")).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^hango: .*OPENAI_API_KEY.*\n$/) as unknown });
    expect(await run("--model", "anthropic/x")).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^hango: .*AI_GATEWAY_API_KEY.*\n$/) as unknown });
    expect(await run()).toMatchObject({ code: 2, err: expect.stringMatching(/--model provider\/name/) as unknown });
    expect(await run("--model", "x", "--base-url", server.url)).toMatchObject({ code: 3 });
    expect(await hango("x", "--patch", join(home, "no/such/x.patch"))).toMatchObject({ code: 2 });
    expect(await hango("x", "--db", "pglite:db")).toMatchObject({ code: 2 });
    expect(await hango("x", "--tenant", "t")).toMatchObject({ code: 2 });
    expect(await hango("x", "--yes", "--dry-run")).toMatchObject({ code: 2 });
    expect(server.requests.length).toBeLessThan(5);
  });

  it.each([
    ["a key that is not accepted", { status: 401 }, /answered 401: the key was not accepted/],
    ["garbage", { raw: "data: nonsense\n\n" }, /could not be used/],
    ["silence", { fault: "hang" }, /did not answer in time/],
  ] as const)("shows what is pending when the model fails (%s), and does not apply it with --yes", async (_, fault, expected) => {
    server.play([rename[1], fault]);
    const { code, out, err } = await hango("x", "--yes", "--timeout", "3");
    expect(code).toBe(5);
    expect(err).toMatch(expected);
    expect(err).toContain("--yes counts only for a run that finishes");
    expect(out).toContain("+export const bar = 1;");
    expect(await get("src/a.ts")).toBe("export const foo = 1;\n");
  });

  it("asks again when the server has a problem, and says where nobody listens", async () => {
    server.play([{ status: 503 }, rename[1], { say: "Done." }]);
    expect(await hango("x", "--dry-run")).toMatchObject({ code: 0, out: expect.stringContaining("+export const bar = 1;") as unknown });
    const gone = await chatServer();
    await gone.close();
    const { code, err } = await hango("x", "--base-url", gone.url);
    expect(code).toBe(5);
    expect(err).toMatch(/^hango: the model can't be reached \(\w+\); check the network and --base-url\.\n/);
  });

  it("stops the model at the first Ctrl-C, and asks about what is pending", async () => {
    server.play([rename[1], { fault: "hang" }]);
    const { code, out } = await atTerminal(
      ["x"],
      [
        ["I was about", "\u0003"],
        ["[y/N]", "y\n"],
      ],
    );
    expect(out).toContain("The run did not finish. Apply these changes?");
    expect(code).toBe(130);
    expect(await get("src/a.ts")).toBe("export const bar = 1;\n");
  });

  it("leaves at once at the second Ctrl-C, and changes nothing", async () => {
    // A model server that does not even hang up.
    server.play([rename[1], { fault: "hang" }]);
    const { code, out } = await atTerminal(
      ["x"],
      [
        ["I was about", "\u0003"],
        ["[y/N]", "\u0003"],
      ],
    );
    expect(code).toBe(130);
    expect(out).not.toContain("modified  src");
    expect(await get("src/a.ts")).toBe("export const foo = 1;\n");
  });

  it("keeps the model inside the directory, away from .git, and from what is ignored", async () => {
    await writeFile(join(home, "outside.txt"), "CANARY-7\n");
    await symlink(join(home, "outside.txt"), join(dir, "link.txt"));
    await put(".git/config", "CANARY-7\n");
    await put(".env", "CANARY-7\n");
    await put(".gitignore", ".env\n");
    await put("node_modules/x/index.js", "CANARY-7\n");
    const paths = ["/../outside.txt", "../outside.txt", "/.git/config", "/.GIT/config", "/etc/passwd", "/link.txt", "/.env", "/node_modules/x/index.js"];
    server.play([
      { calls: paths.map((path) => ({ tool: "read_file", input: { path } })) },
      {
        calls: [
          ...paths.filter((path) => path !== "/etc/passwd").map((path) => ({ tool: "write_file", input: { path, content: "x" } })),
          { tool: "grep", input: { pattern: "CANARY-" } },
          { tool: "glob", input: { pattern: "**" } },
        ],
      },
    ]);
    const { code, out, err } = await hango("x", "--yes");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const sent = JSON.stringify(server.requests);
    expect(sent).not.toMatch(/CANARY-7|root:/);
    const results =
      server.requests
        .at(-1)
        ?.messages.filter(({ role }) => role === "tool")
        .map(({ content }) => String(content)) ?? [];
    expect(results.slice(0, -2).filter((text) => !text.startsWith("Error ("))).toEqual([]);
    expect(results.at(-2)).toContain("No");
    expect(results.at(-1)).toBe("/.gitignore\n/src/a.ts\n/src/b.ts\n(not searched, because binary or not readable: /link.txt)");
    expect(out).not.toMatch(/^created|^modified/m);
    expect(await readFile(join(home, "outside.txt"), "utf8")).toBe("CANARY-7\n");
    expect(await get(".git/config")).toBe("CANARY-7\n");
    expect(await get(".env")).toBe("CANARY-7\n");
  });

  it("says that there are no changes", async () => {
    server.play([{ say: "Nothing to do." }]);
    expect(await hango("x")).toMatchObject({ code: 0, out: expect.stringMatching(/No changes\.\n$/) as unknown });
  });

  it("works on a database with --db: the same review, and the files are there for the next command", async () => {
    const db = ["--db", "pglite:data"];
    const run = (...args: readonly string[]): Promise<Ended> =>
      ended(spawn(process.execPath, args as string[], { cwd: home, env: userEnvironment(), stdio: ["ignore", "pipe", "pipe"] }));
    const write = { calls: [{ tool: "write_file", input: { path: "/notes/a.md", content: "# A\n" } }] };
    server.play([write, { say: "Written." }]);
    expect(await run(...options("x", ...db, "--yes"))).toMatchObject({ code: 0, out: expect.stringContaining("created   notes/a.md") as unknown });
    server.play([{ calls: [{ tool: "read_file", input: { path: "/notes/a.md" } }] }, (seen) => ({ say: seen[0] ?? "" })]);
    expect((await run(...options("x", ...db))).out).toContain("# A");
  });
});
