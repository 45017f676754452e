import type { PublicCase } from "./case.ts";

const files = {
  "/large_tool_results/s1/c": "mine one",
  "/large_tool_results/s10/c": "theirs ten",
  "/conversation_history/s1.md": "mine log",
  "/conversation_history/s10.md": "theirs log",
  "/p": "plain log",
};

/** The other direction: the session whose id begins with the other's. And what counts and caps may tell. */
export const sessionViewCases: readonly PublicCase[] = [
  {
    name: "shows s10 nothing of s1, at any tool or root",
    source: "langchain-ai/langgraphjs#2721 (CVE-2026-71433), langchain-ai/langgraph#8478",
    files,
    steps: [
      { tool: "grep", args: { pattern: "mine" }, as: "s10", found: [] },
      { tool: "grep", args: { pattern: "log" }, as: "s10", paths: ["/conversation_history/s10.md", "/p"] },
      { tool: "glob", args: { pattern: "**" }, as: "s10", paths: ["/conversation_history/s10.md", "/large_tool_results/s10/c", "/p"] },
      { tool: "glob", args: { pattern: "*.md" }, as: "s10", paths: ["/conversation_history/s10.md"] },
      { tool: "glob", args: { pattern: "*", path: "/conversation_history" }, as: "s10", paths: ["/conversation_history/s10.md"] },
      { tool: "glob", args: { pattern: "*", path: "/large_tool_results/s1" }, as: "s10", error: "not_found" },
      { tool: "grep", args: { pattern: "mine", path: "/large_tool_results/s1" }, as: "s10", error: "not_found" },
      { tool: "ls", args: { path: "/large_tool_results/s1" }, as: "s10", error: "not_found" },
      { tool: "read_file", args: { path: "/large_tool_results/s1" }, as: "s10", error: "not_found" },
      { tool: "read_file", args: { path: "/conversation_history/s1.md" }, as: "s10", error: "not_found" },
      { tool: "read_file", args: { path: "/large_tool_results/s10/c" }, as: "s10", whole: "theirs ten" },
    ],
    unchanged: Object.keys(files),
  },
  {
    name: "answers alike for another's machine file and for one that never was",
    source: "infiniflow/ragflow#15456, tanviet12/chat-quality-agent#22",
    files,
    steps: [
      { tool: "write_file", args: { path: "/large_tool_results/s1/c", content: "x" }, as: "s10", error: "forbidden" },
      { tool: "write_file", args: { path: "/large_tool_results/s1/none", content: "x" }, as: "s10", error: "forbidden" },
      { tool: "delete_file", args: { path: "/large_tool_results/s1/c" }, as: "s10", error: "forbidden" },
      { tool: "delete_file", args: { path: "/large_tool_results/s1/none" }, as: "s10", error: "forbidden" },
      { tool: "edit_file", args: { path: "/conversation_history/s1.md", old_string: "mine", new_string: "x" }, as: "s10", error: "forbidden" },
      { tool: "delete_file", args: { path: "/", recursive: true }, as: "s10", error: "forbidden" },
    ],
    unchanged: Object.keys(files),
  },
  {
    name: "counts caps after visibility: what another session has crowds nothing out",
    source: "langchain-ai/langgraph#8478",
    files: { "/large_tool_results/s10/c": "hit\n".repeat(1200), "/p": "hit" },
    steps: [
      { tool: "grep", args: { pattern: "hit" }, as: "s1", found: [{ path: "/p", line: 1 }], truncated: false },
      { tool: "grep", args: { pattern: "hit" }, as: "s10", count: 1000, truncated: true },
    ],
  },
  {
    name: "deletes for an agent only what it sees",
    source: "langchain-ai/langgraph#8478",
    files: { "/large_tool_results/s10/c": "theirs", "/a": "x", "/b/c": "x" },
    steps: [
      { tool: "delete_file", args: { path: "/", recursive: true }, as: "s1" },
      { tool: "ls", args: { path: "/" }, as: "s1", names: [] },
    ],
    unchanged: ["/large_tool_results/s10/c"],
  },
];
