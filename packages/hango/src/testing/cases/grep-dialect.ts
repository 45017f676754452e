/** What a grep pattern means, as a table: content, pattern, lines. */
import type { GrepHit, GrepQuery, Storage } from "../../storage.ts";
import { parseGlob } from "../../text/glob.ts";
import { parsePattern } from "../../text/pattern/pattern.ts";
import { same } from "../assert.ts";
import type { StorageCase } from "../case.ts";

export interface Asked extends Partial<Omit<GrepQuery, "pattern" | "include">> {
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  readonly include?: string;
}

/** Asks grep with a pattern as text. */
export function findLines(
  storage: Storage,
  source: string,
  { literal = false, ignoreCase = false, include, ...query }: Asked = {},
): Promise<readonly GrepHit[]> {
  return storage.grep({
    pattern: parsePattern(source, { literal, ignoreCase }),
    root: "",
    context: 0,
    limit: 1000,
    ...(include === undefined ? {} : { include: parseGlob(include) }),
    ...query,
  });
}
/** Content, pattern, lines that match. */
const TABLE: readonly (readonly [string, string, readonly number[]])[] = [
  ["a new day\nnewest\nrenewal\n", "\\bnew\\b", [1]],
  ["a new day\nnewest\nrenewal\n", "\\Bnew", [3]],
  ["zip 02139\né\n", "\\d{5}", [1]],
  ["zip 02139\né\n", "\\w", [1]],
  ["zip 02139\né\n", "(?<y>\\d)", [1]],
  ["zip 02139\né\n", "(?i)ZIP", [1]],
  ["DOGGIE\ndog \nDOG", "^DOG$", [3]],
  ["DOGGIE\ndog \nDOG", "^d.+", [2]],
  ["test line 1\ntest line 2", "1\\stest", []],
  ["test line 1\ntest line 2", "1\\Dtest", []],
  ["test line 1\ntest line 2", "1[^x]*test", []],
  ["test line 1\ntest line 2", "1.*2", []],
  ["f();\r\ng();\r\n", "\\);$", [1, 2]],
  ["f();\r\r\ng();\r\n", "\\);$", [2]],
  ["a\r", "a$", []],
  ["a\r\n", "a$", [1]],
  ["\ufeffimport os\n\ufeffx\n", "^import", [1]],
  ["\ufeffimport os\n\ufeffx\n", "^x", []],
  ["\ufeffimport os\n\ufeffx\n", "^.x", [2]],
  ["# 4. Conversation Workflow\n", "^# 4\\. Conversation", [1]],
  ["x\n0\n", "0", [2]],
  ["a\n\nb\n", "^$", [2]],
  ["a\n", "^$", []],
  ["", "^$", []],
  ["\n", "^$", [1]],
  ["a\nb", "a*", [1, 2]],
  ["foo\nbar\nbaz", "foo|baz", [1, 3]],
  ["ab\nabab\naba", "^(ab)+$", [1, 2]],
  ["color colour", "colou?r$", [1]],
  ["interface{}", "interface{}", [1]],
  ["x\u000by", "x\\sy", []],
  ["x\u00a0y", "x\\sy", []],
  ["x\ty", "x\\sy", [1]],
  ["K is Kelvin: \u212a", "[k]$", []],
  ["\u{1F600}!", "^.!$", [1]],
  ["é\nÉ\n", "[é-ë]", [1]],
  ["a.b\naxb\n", "a\\.b", [1]],
  ["naïve\n", "[[:alpha:]]{3}", []],
  ["naive\n", "^[[:alpha:]]{5}$", [1]],
  ["abc-def_1\n", "[\\w-.]+$", [1]],
  ["]x", "^[]x]+$", [1]],
  ["caf\u00e9", "[^\\x00-\\x7F]", [1]],
  ["a\u2028b", "^a.b$", [1]],
  ["a\u0085b", "^a.b$", [1]],
  ["a\rb", "^a.b$", [1]],
];

export const dialectCase: StorageCase = {
  name: "matches line by line as the dialect says",
  files: Object.fromEntries(TABLE.map(([content], index) => [`${index}.txt`, content])),
  run: async (storage) => {
    for (const [index, [content, source, lines]] of TABLE.entries())
      same(
        (await findLines(storage, source, { root: `${index}.txt` })).map((hit) => hit.line),
        lines,
        `${source} in ${JSON.stringify(content)}`,
      );
  },
};
