/** "1 line", "2 lines", "3 entries", "4 matches". */
export function plural(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  if (noun.endsWith("y")) return `${count} ${noun.slice(0, -1)}ies`;
  return `${count} ${noun}${noun.endsWith("ch") ? "es" : "s"}`;
}
