/** The options of a stack, checked before anything is built of them: a wrong one would be ignored, or fail far from here. */
import { checkOptionNames, HangoError, isObject } from "../errors.ts";

export const STACK_OPTIONS = ["filesystem", "offload", "subagents", "summarization"] as const;
const SLOT_OPTIONS = ["tools", "prompt", "wrapTool", "prepare"] as const;

function refuse(message: string): never {
  throw new HangoError("invalid_argument", message);
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** Errors: invalid_argument naming the option that is unknown or wrong. */
export function checkStackOptions(options: object): void {
  if (!isPlainObject(options)) refuse(`The options of a stack are an object of ${STACK_OPTIONS.join(", ")}.`);
  checkOptionNames("A stack", options, STACK_OPTIONS);
  for (const name of ["filesystem", "offload"] as const) {
    const value = options[name];
    if (value !== undefined && typeof value !== "boolean") refuse(`${name} must be true or false.`);
  }
  for (const name of ["subagents", "summarization"] as const) {
    const slot = options[name];
    if (slot !== undefined) checkSlot(name, slot);
  }
}

function checkSlot(name: string, slot: unknown): void {
  if (!isPlainObject(slot)) refuse(`${name} must be an object of ${SLOT_OPTIONS.join(", ")}; leave it out when there is none.`);
  checkOptionNames(name, slot, SLOT_OPTIONS);
  const { tools, prompt } = slot;
  if (tools !== undefined) checkTools(`${name}.tools`, tools);
  if (prompt !== undefined && typeof prompt !== "string") refuse(`${name}.prompt must be text.`);
  for (const part of ["wrapTool", "prepare"] as const) {
    if (slot[part] !== undefined && typeof slot[part] !== "function") refuse(`${name}.${part} must be a function.`);
  }
}

/** Errors: invalid_argument for what is not a list of tools. */
export function checkTools(what: string, tools: unknown): void {
  if (!Array.isArray(tools) || !tools.every(isNamed)) refuse(`${what} must be a list of tools, each with a name.`);
}

/** Answers what a slot made of a tool. Errors: invalid_argument when that is no tool, such as after a forgotten return. */
export function checkWrapped<T extends { readonly name: string }>(wrapped: T, name: string): T {
  if (!isNamed(wrapped)) refuse(`wrapTool must return a tool; for ${JSON.stringify(name)} it returned something else.`);
  return wrapped;
}

function isNamed(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name } = value as { readonly name?: unknown };
  return typeof name === "string" && name !== "";
}
