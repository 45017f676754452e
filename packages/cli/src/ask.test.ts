import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { agrees } from "./ask.ts";

async function answered(typed: string): Promise<{ readonly yes: boolean; readonly shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(typed);
  const yes = await agrees("Go on? [y/N] ", { input, output });
  return { yes, shown: String(output.read()) };
}

describe("a question at the terminal", () => {
  it.each(["y\n", "Y\r\n", "yes\n", " yes \nno\n"])("takes %j as a yes", async (typed) => {
    expect(await answered(typed)).toEqual({ yes: true, shown: "Go on? [y/N] " });
  });
  it.each(["n\n", "\n", "yep\n", "y y\n", "ja\n"])("takes %j as a no", async (typed) => {
    expect(await answered(typed)).toEqual({ yes: false, shown: "Go on? [y/N] " });
  });
  it("takes the end of the input as a no, which hango erase ended on with 13 and “Detected unsettled top-level await”", async () => {
    expect(await answered("")).toEqual({ yes: false, shown: "Go on? [y/N] \n" });
  });
});
