import * as z from "zod";
import { describe, expect, it } from "vitest";
import { isHangoError } from "../errors.ts";
import { uuidFor } from "../path/uuid.ts";
import { openSession } from "../session/session.ts";
import { memoryStorage } from "../storages/memory.ts";
import { optionalChoice, optionalFlag, optionalNumber, parseArgs, text } from "./args.ts";
import * as mini from "zod/mini";
import { fileTools } from "./file-tools.ts";

const schema = mini.strictObject({
  path: text("A path."),
  offset: optionalNumber(0, "A line."),
  all: optionalFlag("All."),
  mode: optionalChoice(["a", "b"], "A mode."),
});

describe("parseArgs", () => {
  it('takes whole numbers also as digits: "offset parameter fails type validation when passed as string"', () => {
    for (const [given, taken] of [
      ["1", 1],
      ["380", 380],
      [7, 7],
      [0, 0],
      ["0", 0],
      [undefined, undefined],
    ] as const)
      expect(parseArgs("t", schema, { path: "/a", offset: given })).toMatchObject(taken === undefined ? { path: "/a" } : { offset: taken });
  });

  it("turns nothing else into a number", () => {
    for (const offset of ["abc", "1.5", "", " 1", "1e3", "0x10", null, true, 1.5, Number.NaN, Number.POSITIVE_INFINITY, -1, "-1", [1], {}, 2 ** 60])
      expect(() => parseArgs("read_file", schema, { path: "/a", offset }), String(offset)).toThrow("read_file: offset must be a whole number of at least 0");
  });

  it('takes "true" and "false" for a flag, and no other word', () => {
    expect([parseArgs("t", schema, { path: "/a", all: "true" }).all, parseArgs("t", schema, { path: "/a", all: "false" }).all]).toEqual([true, false]);
    for (const all of ["yes", "", "True", 1, null])
      expect(() => parseArgs("t", schema, { path: "/a", all }), String(all)).toThrow("t: all must be true or false");
  });

  it("names each wrong, missing and unknown parameter", () => {
    const failure = (args: unknown): string => {
      try {
        parseArgs("t", schema, args);
      } catch (error) {
        if (isHangoError(error, "invalid_argument")) return error.message;
      }
      return "";
    };
    expect(failure({})).toBe("t: path is missing.");
    expect(failure(undefined)).toBe("t: path is missing.");
    expect(failure({ path: 3, all: "yes", mode: "c" })).toBe("t: path must be a string; all must be true or false; mode must be one of a, b.");
    expect(failure({ path: "/a", encoding: "hex" })).toBe('t: "encoding" is no parameter of it (path, offset, all, mode).');
    expect(failure({ path: "/a", "a\u202eb": 1 })).toBe('t: "a\\u202eb" is no parameter of it (path, offset, all, mode).');
    expect(failure("path=/a")).toBe("t: the arguments must be one object.");
    expect(failure([])).toBe("t: the arguments must be one object.");
  });
});

describe("the tools' schemas", () => {
  const tools = fileTools(
    openSession({
      storage: memoryStorage(),
      sessionId: uuidFor("s"),
      tools: ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete_file", "search"],
    }),
  );

  it("become JSON Schema, with whole numbers as integers and a description for each parameter", () => {
    for (const { name, inputSchema } of tools) {
      const json = z.toJSONSchema(inputSchema as z.core.$ZodType, { io: "input" }) as {
        readonly type: string;
        readonly properties: Record<string, { readonly type?: string; readonly description?: string }>;
      };
      expect([name, json.type]).toEqual([name, "object"]);
      for (const [parameter, { type, description }] of Object.entries(json.properties)) {
        expect([name, parameter, typeof description]).toEqual([name, parameter, "string"]);
        if (["offset", "limit", "column", "context", "max_count"].includes(parameter)) expect([name, parameter, type]).toEqual([name, parameter, "integer"]);
      }
    }
  });

  it("are Standard Schemas", () => {
    for (const { inputSchema } of tools) expect((inputSchema as Record<string, unknown>)["~standard"]).toMatchObject({ version: 1 });
  });

  it("name no tenant, agent, session or namespace", () => {
    for (const { name, description, inputSchema } of tools) {
      const parameters = Object.keys((z.toJSONSchema(inputSchema as z.core.$ZodType, { io: "input" }) as { readonly properties: object }).properties);
      expect([name, parameters.filter((parameter) => /tenant|agent|session|namespace|version/i.test(parameter))]).toEqual([name, []]);
      expect(description).not.toMatch(/tenant|namespace/i);
    }
  });
});
