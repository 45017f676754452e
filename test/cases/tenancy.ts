import type { PublicCase } from "./case.ts";

export const tenancyCases: readonly PublicCase[] = [
  {
    name: "lists one directory where the name holds a wildcard of SQL",
    source: "langchain-ai/langgraph#8300, langchain-ai/langgraphjs#2512",
    files: { "/users/john_doe/m.md": "A", "/users/john-doe/m.md": "B" },
    steps: [
      { tool: "ls", args: { path: "/users/john_doe" }, paths: ["/users/john_doe/m.md"] },
      { tool: "ls", args: { path: "/%" }, error: "not_found" },
      { tool: "ls", args: { path: "/_" }, error: "not_found" },
      { tool: "ls", args: { path: "/users/%" }, error: "not_found" },
      { tool: "delete_file", args: { path: "/users/john_doe", recursive: true } },
      { list: ["/users/john-doe/m.md"] },
    ],
  },
  {
    name: "shows no session another's machine files, s10 not to s1 nor s1 to s10",
    source: "langchain-ai/langgraphjs#2721 (CVE-2026-71433), langchain-ai/langgraph#8478",
    files: { "/large_tool_results/s1/c": "mine", "/large_tool_results/s10/c": "theirs", "/conversation_history/s10.md": "theirs", "/plain": "ordinary" },
    steps: [
      { tool: "grep", args: { pattern: "theirs" }, as: "s1", found: [] },
      { tool: "glob", args: { pattern: "**" }, as: "s1", paths: ["/large_tool_results/s1/c", "/plain"] },
      { tool: "glob", args: { pattern: "*", path: "/large_tool_results" }, as: "s1", paths: ["/large_tool_results/s1/c"] },
      { tool: "ls", args: { path: "/large_tool_results" }, as: "s1", paths: ["/large_tool_results/s1"] },
      { tool: "ls", args: { path: "/" }, as: "s1", names: ["large_tool_results", "plain"] },
      { tool: "ls", args: { path: "/conversation_history" }, as: "s1", error: "not_found" },
      { tool: "ls", args: { path: "/large_tool_results/s10" }, as: "s1", error: "not_found" },
      { tool: "grep", args: { pattern: "theirs", path: "/large_tool_results/s10/c" }, as: "s1", error: "not_found" },
      { tool: "read_file", args: { path: "/large_tool_results/s10/c" }, as: "s1", error: "not_found" },
      { tool: "read_file", args: { path: "/conversation_history/s10.md" }, as: "s1", error: "not_found" },
      { tool: "edit_file", args: { path: "/large_tool_results/s10/c", old_string: "theirs", new_string: "mine" }, as: "s1", error: "forbidden" },
      { tool: "delete_file", args: { path: "/large_tool_results/s10/c" }, as: "s1", error: "forbidden" },
      { tool: "delete_file", args: { path: "/large_tool_results", recursive: true }, as: "s1", error: ["forbidden", "not_found"] },
      { tool: "grep", args: { pattern: "theirs" }, as: "s10", paths: ["/conversation_history/s10.md", "/large_tool_results/s10/c"] },
      { tool: "grep", args: { pattern: "mine" }, as: "s10", found: [] },
      { tool: "glob", args: { pattern: "*" }, as: "s2", paths: ["/plain"] },
      { tool: "ls", args: { path: "/" }, as: "s2", names: ["plain"] },
    ],
    unchanged: ["/large_tool_results/s10/c", "/conversation_history/s10.md", "/large_tool_results/s1/c"],
  },
  {
    name: "deletes one directory and nothing whose name only looks alike",
    source: "NousResearch/hermes-agent#78927",
    files: { "/my_project/a": "x", "/myXproject/b": "x", "/my_project.bak": "x", "/my_project2/c": "x" },
    steps: [
      { tool: "delete_file", args: { path: "/my_project" }, error: "not_a_file" },
      { tool: "delete_file", args: { path: "/my_project", recursive: true } },
      { list: ["/myXproject/b", "/my_project.bak", "/my_project2/c"] },
    ],
  },
];
