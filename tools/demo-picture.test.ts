import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CAPTION, excerpt, PICTURE } from "./demo-picture.ts";
import { drawRuns, drawTerminal, type Run, runsOf } from "./draw-terminal.ts";

const unescaped = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** What a picture shows, read back from it. */
function readPicture(svg: string): readonly (readonly Run[])[] {
  const lines: Run[][] = [];
  for (const [, style = "", y, text = ""] of svg.matchAll(/^ {2}<text(?: class="([a-z ]+)")? x="[\d.]+" y="([\d.]+)" textLength="[\d.]+">(.*)<\/text>$/gm)) {
    const index = (Number(y) - 18) / 18 - 0.75;
    while (lines.length <= index) lines.push([]);
    lines[index]?.push({ text: unescaped(text), style });
  }
  return lines;
}

/** The names of elements that are opened and closed in order; throws where they are not. */
function elementsOf(xml: string): ReadonlySet<string> {
  const open: string[] = [];
  const seen = new Set<string>();
  const rest = xml.replaceAll(/<(\/?)([a-z]+)((?: [a-zA-Z:]+="[^"<&]*")*)(\/?)>/g, (_tag, closes: string, name: string, _attributes: string, empty: string) => {
    seen.add(name);
    if (closes === "/") expect(open.pop()).toBe(name);
    else if (empty === "") open.push(name);
    return "";
  });
  expect(open).toEqual([]);
  expect(rest).not.toContain("<");
  expect(rest.replaceAll(/&(?:lt|gt|amp);/g, "")).not.toContain("&");
  return seen;
}

describe("drawTerminal", () => {
  it("keeps text, styles across lines, and spaces; markup in the text is text", () => {
    const svg = drawTerminal("\u001B[1mTitle\u001B[22m\n\u001B[35m\n  ── a & b\u001B[39m <script>\n\n     │ \u001B[1m\u001B[36mx\u001B[39m\u001B[22m", {
      caption: "a < b",
    });
    expect(readPicture(svg)).toEqual([
      [{ text: "Title", style: "bold" }],
      [],
      [
        { text: "  ── a & b", style: "magenta" },
        { text: " <script>", style: "" },
      ],
      [],
      [
        { text: "     │ ", style: "" },
        { text: "x", style: "bold cyan" },
      ],
    ]);
    expect([...elementsOf(svg)].toSorted()).toEqual(["rect", "style", "svg", "text", "title"]);
  });

  it("refuses a code that it would lose", () => {
    expect(() => runsOf("\u001B[44mblue ground")).toThrow("No picture of the terminal code 44.");
  });
});

describe("excerpt", () => {
  it("keeps the parts that tell the story and marks where others were", () => {
    const conflict = "  8  edit_file {}\n\u001B[33m     │ Error (conflict): …\u001B[39m";
    const screen = `\nhango demo: …\n  imported\n\n  1  ls {}\n\n  2  grep {}\n\n\u001B[35m  ── a second session edits\u001B[39m\n\n${conflict}\n\nThe agent's answer\n  done\n`;
    expect(excerpt(screen)).toBe(`hango demo: …\n  imported\n\n     ⋮\n\n\u001B[35m  ── a second session edits\u001B[39m\n\n${conflict}\n\n     ⋮`);
  });
});

describe("docs/demo.svg", () => {
  const svg = readFileSync(PICTURE, "utf8");

  it("is what the tool draws of the lines in it; if not, run: npm run picture", () => {
    expect(drawRuns(readPicture(svg), { caption: CAPTION })).toBe(svg);
  });

  it("is well-formed, small, and holds nothing that runs or comes from elsewhere", () => {
    expect([...elementsOf(svg)].toSorted()).toEqual(["rect", "style", "svg", "text", "title"]);
    expect(svg.length).toBeLessThan(100_000);
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/url\(|@import|href=|\son[a-z]+=|https?:/);
  });

  it("shows no place of the machine that it was made on", () => {
    const shown = readPicture(svg).map((line) => line.map(({ text }) => text).join(""));
    expect(shown[0]).toBe("$ npx hango demo .");
    expect(shown.join("\n")).not.toMatch(/\/(?:home|tmp|Users|root|work)\b/);
    expect(shown.join("\n")).toContain("a copy of ~/hango");
  });
});
