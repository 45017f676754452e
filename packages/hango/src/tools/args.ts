/** The shapes of tool arguments. Numbers and flags also come as strings ("7", "true"), as some models send them; nothing else is turned into one. */
import * as z from "zod/mini";
import { HangoError, isObject } from "../errors.ts";
import { quoteText } from "../text/quote.ts";

/** Of the name of a parameter that there is not. */
const SHOWN_KEY_CHARS = 40;

export const ABSOLUTE_PATH = "Absolute path, such as /docs/a.md.";

export function text(description: string): z.ZodMiniString {
  return z.string({ error: "must be a string" }).check(z.describe(description));
}

export function optionalText(description: string): z.ZodMiniOptional<z.ZodMiniString> {
  return z.optional(text(description));
}

type Flag = z.ZodMiniOptional<z.ZodMiniPipe<z.ZodMiniTransform<unknown, unknown>, z.ZodMiniBoolean>>;

/** "true" and "false" count; "yes", "", 1 and null do not. */
export function optionalFlag(description: string): Flag {
  const words = z.transform((value: unknown): unknown => (value === "true" ? true : value === "false" ? false : value));
  return z.optional(z.pipe(words, z.boolean({ error: "must be true or false" }).check(z.describe(description))));
}

export function optionalChoice<const T extends readonly string[]>(choices: T, description: string): z.ZodMiniOptional<z.ZodMiniEnum<{ [K in T[number]]: K }>> {
  return z.optional(z.enum(choices, { error: `must be one of ${choices.join(", ")}` }).check(z.describe(description)));
}

type WholeNumber = z.ZodMiniOptional<z.ZodMiniPipe<z.ZodMiniTransform<unknown, unknown>, z.ZodMiniNumberFormat>>;

/** A whole number of at least `least`. "7" counts as 7; "", "1.5", null and true do not. */
export function optionalNumber(least: number, description: string): WholeNumber {
  const error = `must be a whole number of at least ${least}`;
  const digits = z.transform((value: unknown): unknown => (typeof value === "string" && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : value));
  return z.optional(z.pipe(digits, z.int({ error }).check(z.minimum(least, { error }), z.describe(description))));
}

/** Parses the arguments of a call, synchronously. Errors: invalid_argument naming each wrong parameter. */
export function parseArgs<S extends z.ZodMiniType>(tool: string, schema: S, args: unknown): z.output<S> {
  const parsed = z.safeParse(schema, args ?? {});
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    if (issue.code === "unrecognized_keys")
      return `${issue.keys.map((key) => quoteText(key, SHOWN_KEY_CHARS)).join(", ")} ${issue.keys.length === 1 ? "is no parameter" : "are no parameters"} of it (${parametersOf(schema).join(", ")})`;
    const name = issue.path.join(".");
    if (name === "") return "the arguments must be one object";
    return `${name} ${isGiven(args, name) ? issue.message : "is missing"}`;
  });
  throw new HangoError("invalid_argument", `${tool}: ${faults.join("; ")}.`, {
    details: { parameters: parsed.error.issues.map(({ path }) => path.join(".")) },
  });
}

function parametersOf(schema: z.ZodMiniType): readonly string[] {
  const { def } = schema._zod;
  return def.type === "object" ? Object.keys((def as unknown as { readonly shape: object }).shape) : [];
}

function isGiven(args: unknown, name: string): boolean {
  return isObject(args) && (args as Readonly<Record<string, unknown>>)[name] !== undefined;
}
