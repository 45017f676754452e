/** Writes the README's table of storages and layers from trials of the things themselves. */
import { writeFileSync } from "node:fs";
import { look, type Seen, type Specimen, type Traits } from "./capabilities/look.ts";
import { ENTRIES, type Subject, SUBJECTS } from "./capabilities/subjects.ts";
import { fromRoot } from "./markdown-pages.ts";
import { markdownTable } from "./markdown-table.ts";

export type Row = readonly string[];

const HEAD: Row = ["", "from", "writes", "`apply`: all or nothing", "`search`", "record of events", "more"];

const CAPTION =
  "`node tools/capabilities.ts` made this table by trying each. Each that takes writes refused one over a stale version, and of two at once over one version, in one process, one was taken.";

interface Sight {
  readonly seen: Seen;
  readonly below: Specimen["below"];
}

/** Makes one, tries it, and says what was seen. Errors: a plain Error where no words fit. */
export async function capabilityRow(subject: Subject): Promise<Row> {
  const { specimens, facts, close } = await subject.make();
  try {
    const sights: Sight[] = [];
    for (const specimen of specimens) sights.push({ seen: await look(specimen), below: specimen.below });
    const { factory, args = "", label = `\`${factory.name}${args}\``, link, remark } = subject;
    const more = [...((await facts?.()) ?? []), ...(remark === undefined ? [] : [remark]), ...(link === undefined ? [] : [`[${link[0]}](${link[1]})`])];
    const search = wordFor("search", sights, subject);
    return [
      label,
      `\`${entryOf(subject)}\``,
      writesCell(sights, subject),
      wordFor("apply", sights, subject),
      search === "yes" ? "substring" : search,
      wordFor("record", sights, subject),
      more.join("; "),
    ];
  } finally {
    await close?.();
  }
}

/** How a trait follows from what is below, in the order tried; the first that fits all that was seen. */
const RULES: readonly (readonly [word: string | undefined, fits: (trait: keyof Traits, below: NonNullable<Sight["below"]> | undefined) => boolean])[] = [
  ["yes", () => true],
  ["no", () => false],
  [undefined, (trait, below) => below?.owner[trait] === true],
  ["only with a single mount that has it", (trait, below) => below?.all.length === 1 && below.owner[trait]],
];

/** The words for a trait. Errors: a plain Error. */
export function wordFor(trait: keyof Traits, sights: readonly Sight[], { asBelow = "as the storage", factory }: Pick<Subject, "asBelow" | "factory">): string {
  const rule = RULES.find(([, fits]) => sights.every(({ seen, below }) => seen[trait] === fits(trait, below)));
  if (rule === undefined) throw new Error(`No rule of tools/capabilities.ts says when ${factory.name} has "${trait}": add one, with words for it.`);
  return rule[0] ?? asBelow;
}

/** Also says how writes last, of those that what is below would take. */
function writesCell(sights: readonly Sight[], subject: Subject): string {
  const word = wordFor("writes", sights, subject);
  const lasts = new Set(sights.filter(({ seen, below }) => seen.writes && below?.owner.writes !== false).map(({ seen }) => seen.kept));
  if (lasts.size > 1) throw new Error(`Writes of ${subject.factory.name} last now so, now so: ${[...lasts].join(", ")}.`);
  const [kept] = lasts;
  if (kept === "carried over") return `${word}, aside until \`commit\``;
  return kept === "never" ? `${word}, in memory only` : word;
}

function entryOf({ factory }: Subject): string {
  for (const [entry, exported] of ENTRIES) if (Object.values(exported).includes(factory)) return entry;
  throw new Error(`No entry exports ${factory.name}.`);
}

/** The whole table, with the line below it. */
export async function capabilityTable(): Promise<string> {
  const rows: Row[] = [];
  for (const subject of SUBJECTS) rows.push(await capabilityRow(subject));
  return `${markdownTable(HEAD, rows)}\n${CAPTION}\n`;
}

const BLOCK = /(?<=<!-- capabilities -->\n\n)[\s\S]*?(?=\n<!-- end of capabilities -->)/;

/** What the page has between the markers. Errors: a plain Error without them. */
export function tableOn(page: string): string {
  const found = BLOCK.exec(page)?.[0];
  if (found === undefined) throw new Error("The page has no <!-- capabilities --> … <!-- end of capabilities -->.");
  return found;
}

/** The page with the table between the markers. */
export function withTable(page: string, table: string): string {
  tableOn(page);
  return page.replace(BLOCK, () => table);
}

if (import.meta.main) {
  const table = await capabilityTable();
  writeFileSync(new URL("../README.md", import.meta.url), withTable(fromRoot("README.md"), table));
}
