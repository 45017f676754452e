import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createProgram, pathOf } from "./program.ts";
import { shellLines } from "./readme.test-support.ts";

const root = resolve(import.meta.dirname, "../../..");
const guides = readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`);
const PAGES = ["README.md", "packages/cli/README.md", "packages/hango/README.md", ...guides];
const pageAt = (path: string): string => readFileSync(join(root, path), "utf8");

type Command = ReturnType<typeof createProgram>;
const program = createProgram();

/** The command that the words name, and the words after it. */
function commandOf(words: readonly string[], command: Command = program): { readonly command: Command; readonly rest: readonly string[] } {
  const below = command.commands.find((one) => one.name() === words[0]);
  return below === undefined ? { command, rest: words } : commandOf(words.slice(1), below);
}

/** What is wrong with one command line, as far as its names go. */
function faultOf(line: string): string | undefined {
  const [, given = ""] = /(?:^|\| )(?:[A-Z_]+=\S+ )*(?:npx )?hango (.*?)(?: [|>] .*)?$/.exec(line) ?? [];
  const words = given.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const { command, rest } = commandOf(words);
  if (command === program && given !== "" && !given.startsWith("-")) return `${line}: no such command`;
  const known = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  const unknown = rest
    .filter((word) => /^--?[a-z]/.test(word))
    .flatMap((word) =>
      /^-[a-zA-Z]{2,}$/.test(word)
        ? word
            .slice(1)
            .split("")
            .map((letter) => `-${letter}`)
        : [word],
    );
  const wrong = unknown.find((word) => word !== "--help" && !known.has(word.split("=")[0]));
  return wrong === undefined ? undefined : `${line}: ${pathOf(command)} has no ${wrong}`;
}

describe("the pages that a newcomer reads", () => {
  it.each(PAGES)("name only commands and options that there are: %s", (path) => {
    expect(
      shellLines(pageAt(path))
        .filter((line) => /\bhango /.test(line))
        .map(faultOf)
        .filter((fault) => fault !== undefined),
    ).toEqual([]);
  });

  it.each(PAGES)("link only to files that there are: %s", (path) => {
    const links = [...pageAt(path).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
    expect(links.filter((target) => !existsSync(join(root, dirname(path), target)))).toEqual([]);
  });
});

it("the check sees a command and an option that are not there", () => {
  expect(faultOf("npx hango explode")).toBe("npx hango explode: no such command");
  expect(faultOf("cat x | hango import - --sideways | less")).toBe("cat x | hango import - --sideways | less: hango import has no --sideways");
  expect(faultOf("HANGO_DB=x npx hango grep -iq 'a -- b' > out")).toContain("hango grep has no -q");
});
