import { HangoError, isObject } from "../errors.ts";

/** Checks that what openSession is given has the shape it is used in, for callers without types. Errors: invalid_argument naming the option. */
export function checkSessionShape(options: unknown): void {
  const given = objectOf(options, "openSession's options");
  const { policy, limits, tools, estimator, seen } = given;
  if (policy !== undefined) {
    const { approve } = objectOf(policy, "policy");
    if (approve !== undefined) checkFunction(approve, "policy.approve");
  }
  if (limits !== undefined) objectOf(limits, "limits");
  if (tools !== undefined && !Array.isArray(tools)) refuse("tools", "an array of tool names", tools);
  if (estimator !== undefined) checkMethods(estimator, "estimator", ["estimate", "estimateRequest"]);
  if (seen !== undefined) checkMethods(seen, "seen", ["get", "set", "delete"]);
}

function checkMethods(value: unknown, what: string, names: readonly string[]): void {
  const object = objectOf(value, what);
  for (const name of names) checkFunction(object[name], `${what}.${name}`);
}

function checkFunction(value: unknown, what: string): void {
  if (typeof value !== "function") refuse(what, "a function", value);
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value)) refuse(what, "an object", value);
  return value as Readonly<Record<string, unknown>>;
}

function refuse(what: string, needed: string, value: unknown): never {
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
  throw new HangoError("invalid_argument", `${what} must be ${needed}; it is ${found}.`);
}
