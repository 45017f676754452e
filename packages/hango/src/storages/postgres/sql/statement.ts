/** SQL with named places. Texts are fixed per schema and shape, so that a server prepares each of them once; only values vary. */
import { HangoError } from "../../../errors.ts";
import type { SqlValue, Statement } from "../driver/driver.ts";

export interface Sql {
  readonly text: string;
  /** What stands at $1, $2, … */
  readonly names: readonly string[];
}

export type SqlValues = Readonly<Record<string, SqlValue>>;

/** Numbers the places of a text: `$path` becomes `$3` wherever it stands. */
export function numbered(text: string): Sql {
  const names: string[] = [];
  const numberedText = text.replace(/\$([a-z]\w*)/gi, (_place, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: numberedText.trim().replace(/\n\s+/g, "\n "), names };
}

/** Puts the values at their places. Errors: internal for a place without a value, which is a fault of this library. */
export function bind(sql: Sql, values: SqlValues): Statement {
  return {
    text: sql.text,
    values: sql.names.map((name) => {
      const value = values[name];
      if (value === undefined) throw new HangoError("internal", `The statement has no value for $${name}.`);
      return value;
    }),
  };
}

/** One text of a schema. */
export type FixedSql = (schema: string) => Sql;

/** A text that also varies by its shape: the number of filters, a variant's name. */
export type ShapedSql<Shape extends string | number> = (schema: string, shape: Shape) => Sql;

/** Makes each text once. */
export function shaped<Shape extends string | number>(build: (schema: string, shape: Shape) => string): ShapedSql<Shape> {
  const made = new Map<string, Sql>();
  return (schema, shape) => {
    const key = `${shape} ${schema}`;
    const known = made.get(key) ?? numbered(build(schema, shape));
    made.set(key, known);
    return known;
  };
}

/** Makes the text once. */
export function fixed(build: (schema: string) => string): FixedSql {
  const one = shaped((schema, _shape: "") => build(schema));
  return (schema) => one(schema, "");
}
