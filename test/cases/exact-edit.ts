import type { ChangeStep, PublicCase } from "./case.ts";

const edit = (old_string: string, new_string: string, more: Readonly<Record<string, unknown>> = {}): ChangeStep => ({
  tool: "edit_file",
  args: { path: "/f.txt", old_string, new_string, ...more },
});
const all = { replace_all: true };
const one = (name: string, source: string, text: string, step: ChangeStep, after: string): PublicCase => ({
  name,
  source,
  files: { "/f.txt": text },
  steps: [step, { holds: { "/f.txt": after } }],
});
const refused = (name: string, source: string, text: string, ...steps: readonly ChangeStep[]): PublicCase => ({
  name,
  source,
  files: { "/f.txt": text },
  steps,
  unchanged: ["/f.txt"],
});
const noMatch = (old_string: string, says: readonly string[] = []): ChangeStep => ({ ...edit(old_string, "x"), error: "no_match", says });

/** Exact means exact: no unescaping, no trimming, no guess, and line ends as the file has them. */
export const exactEditCases: readonly PublicCase[] = [
  one("takes text that looks like a line number as text", "open-octo/octo-agent#1224", "     1\tfoo\n", edit("     1\tfoo", "bar"), "bar\n"),
  refused(
    "never matches with the line numbers of read_file pasted in, and says so",
    "open-octo/octo-agent#1224",
    "foo\nbar\n",
    noMatch("     1\tfoo\n     2\tbar", ["line numbers"]),
  ),
  refused(
    "never drops a final newline of the old text, and says where it is without one",
    "langchain-ai/deepagents#2856, langchain-ai/deepagents#3031",
    "return foobar\nb",
    noMatch("b\n", ["newline"]),
    noMatch("return foo\n"),
  ),
  refused(
    "knows no entities and no escapes in the old text",
    "QwenLM/qwen-code#4618",
    "if (a && b) {}\na\\nb\ta\tb\n",
    noMatch("a &amp;&amp; b"),
    noMatch("a\nb\ta"),
    noMatch("a\\tb"),
  ),
  one(
    "unescapes nothing in the new text",
    "qwen-code-dev-bot/oh-my-cli#477",
    "x = 1\n",
    edit("x = 1", "s = \"a\\nb\" &lt; '\\t'"),
    "s = \"a\\nb\" &lt; '\\t'\n",
  ),
  one("trims neither text", "strands-agents/tools#233", "  x  \n", edit("  x  ", " y "), " y \n"),
  one("leaves no blank line when a line goes with its newline", "Astro-Han/pawwork#235", "a\nb\nc\n", edit("b\n", ""), "a\nc\n"),
  one("adds no newline to one that is there", "zed-industries/zed#52661", "a\nb\n", edit("b", "c\n"), "a\nc\n\n"),
  one("does not search what it has just put in", "alibaba/spring-ai-alibaba#4928", "aba", edit("a", "aa", all), "aabaa"),
  one("does not join what it put in with what follows", "alibaba/spring-ai-alibaba#4928", "aab", edit("ab", "b", all), "ab"),
  one("finds newlines that overlap", "archestra-ai/archestra#6085", "\n\n\n\n", edit("\n\n", "\n", all), "\n\n"),
  refused("counts newlines that overlap", "archestra-ai/archestra#6085", "\n\n\n", { ...edit("\n\n", "\n"), error: "ambiguous_match", says: ["2"] }),
  refused("counts an emoji that is part of another, for characters are code points", "openclaw/openclaw#116459", "\u{1F44D}\u{1F3FD}\u{1F44D}", {
    ...edit("\u{1F44D}", "x"),
    error: "ambiguous_match",
    says: ["2"],
  }),
  refused("never matches half a character", "nodetool-ai/nodetool#3775", "\u{1F600}\u{1F601}", {
    ...edit("\ud83d", "x"),
    error: ["invalid_content", "invalid_argument", "no_match", "ambiguous_match"],
  }),
  one(
    "gives a needle of mixed line ends the file's own, and never two CR",
    "earendil-works/pi#8544, langchain-ai/deepagents#5840",
    "one\r\ntwo\r\nthree\r\n",
    edit("one\r\ntwo\nthree", "1\r\n2\n3"),
    "1\r\n2\r\n3\r\n",
  ),
  one("writes CRLF in each place with replace_all", "Gitlawb/zero#376", "a\r\nb\r\na\r\nb\r\n", edit("a\nb", "x\ny\nz", all), "x\r\ny\r\nz\r\nx\r\ny\r\nz\r\n"),
  refused("counts with the file's line ends", "Gitlawb/zero#376", "a\r\nb\r\na\r\nb\r\n", { ...edit("a\nb", "x"), error: "ambiguous_match", says: ["2"] }),
  one("takes the text as sent first", "open-octo/octo-agent#1224", "a\nb\na\r\nb\r\n", edit("a\nb", "X\nY"), "X\nY\na\r\nb\r\n"),
  refused("gives a file with LF no CR", "open-octo/octo-agent#1224", "a\nb\n", noMatch("a\r\nb")),
  refused("refuses a change that only the view would show", "earendil-works/pi#8544", "a\r\nb\r\n", {
    ...edit("a\nb", "a\r\nb"),
    error: ["invalid_argument", "no_match"],
  }),
  one("turns CRLF into LF when asked to", "dimitar-grigorov/mcp-file-tools#24", "a\r\nb\r\n", edit("\r\n", "\n", all), "a\nb\n"),
  one("keeps a lone CR and a doubled one", "dimitar-grigorov/mcp-file-tools#24", "a\rb\r\r\nc\r\n", edit("c", "d"), "a\rb\r\r\nd\r\n"),
  one("keeps the mark when all else goes", "NousResearch/hermes-agent#35278", "\ufeffa", edit("a", ""), "\ufeff"),
  refused(
    "takes no text for yes or no without being sure",
    "SWE-agent/SWE-agent#1543, anomalyco/opencode#908",
    "aa",
    { ...edit("a", "b", { replace_all: "false" }), error: ["ambiguous_match", "invalid_argument"] },
    { ...edit("a", "b", { replace_all: 0 }), error: ["ambiguous_match", "invalid_argument"] },
    { ...edit("a", "b", { replace_all: null }), error: ["ambiguous_match", "invalid_argument"] },
  ),
  one("takes the words true and false as text", "QwenLM/qwen-code#4618", "a true b", edit("true", "false"), "a false b"),
  refused(
    "names the argument that is missing or no text",
    "anomalyco/opencode#908",
    "a5",
    { tool: "edit_file", args: { path: "/f.txt", new_string: "x" }, error: "invalid_argument", says: ["old_string"] },
    { tool: "edit_file", args: { path: "/f.txt", old_string: "a" }, error: "invalid_argument", says: ["new_string"] },
    { tool: "edit_file", args: { path: "/f.txt", old_string: 5, new_string: "x" }, error: "invalid_argument", says: ["old_string"] },
  ),
  refused(
    "is not slow for a needle that nearly matches everywhere",
    "alibaba/spring-ai-alibaba#4928",
    "a".repeat(400_000),
    noMatch(`b${"a".repeat(60_000)}`),
    noMatch(`${"a".repeat(60_000)}b`),
    { ...edit("a".repeat(200_000), "x"), error: "ambiguous_match", says: ["200001"] },
  ),
];
