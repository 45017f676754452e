/** A table of a generated page; no rows, no table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |\n`;
  return rows.length === 0 ? "" : `${row(head)}${row(head.map(() => "---"))}${rows.map(row).join("")}`;
}
