import { describe, expect, it } from "vitest";
import { checkOptionNames } from "./errors.ts";

describe("the names of options", () => {
  it.each([
    ["none", undefined],
    ["null", null],
    ["a text", "x"],
  ])("of %s are refused in words, where a TypeError came before", (_, given) => {
    expect(() => checkOptionNames("mountStorage", given as unknown as object, ["mounts"])).toThrow("mountStorage takes an object of options: mounts.");
  });
  it("that are not known are named with those that are", () => {
    expect(() => checkOptionNames("mountStorage", { mount: [] }, ["mounts"])).toThrow('mountStorage has no option "mount". It takes mounts.');
  });
});
