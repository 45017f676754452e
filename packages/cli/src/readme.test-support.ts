/** The command lines of a page. */

/** Of every shell block, or only of those marked to be run; without comments. */
export function shellLines(page: string, only: "all" | "run" = "all"): readonly string[] {
  const blocks = page.matchAll(/(<!-- run -->\n)?^```sh\n([\s\S]*?)^```$/gm);
  return [...blocks]
    .filter(([, marked]) => only === "all" || marked !== undefined)
    .flatMap(([, , block = ""]) => block.split("\n"))
    .map((line) => line.replace(/(?:^| {2,})#.*$/, "").trim())
    .filter((line) => line !== "");
}
