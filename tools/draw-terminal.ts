/** Draws what a program printed on a terminal as an SVG: text as text, light or dark as the reader's screen is. */

const LINE_HEIGHT = 18;
const CELL = 7.8;
const PADDING = 18;

/** The codes that styleText gives, and what each starts. */
const STARTS: ReadonlyMap<number, string> = new Map([
  [1, "bold"],
  [2, "dim"],
  [31, "red"],
  [32, "green"],
  [33, "yellow"],
  [35, "magenta"],
  [36, "cyan"],
]);
const COLOURS: ReadonlySet<string> = new Set(["red", "green", "yellow", "magenta", "cyan"]);

/** What is drawn, and in which colour on a light and on a dark ground; contrast of at least 4.5. No variables: some viewers have none. */
const PAINT: ReadonlyMap<string, readonly [light: string, dark: string]> = new Map([
  ["text", ["#1f2328", "#e6edf3"]],
  [".dim", ["#59636e", "#9198a1"]],
  [".red", ["#b3261e", "#ff7b72"]],
  [".green", ["#116329", "#56d364"]],
  [".yellow", ["#7d4e00", "#e3b341"]],
  [".magenta", ["#8250df", "#d2a8ff"]],
  [".cyan", ["#0550ae", "#79c0ff"]],
  ["rect", ["#f6f8fa", "#0d1117"]],
]);
const paints = (which: 0 | 1): string => [...PAINT].map(([what, colours]) => `${what} { fill: ${colours[which]}; }`).join(" ");
const STYLE = `
    text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; }
    .bold { font-weight: 700; }
    rect { stroke: #8b949e; }
    ${paints(0)}
    @media (prefers-color-scheme: dark) { ${paints(1)} }
  `;

export interface Run {
  readonly text: string;
  /** Names of STARTS, separated by spaces. */
  readonly style: string;
}

/** Each line as pieces of one style. Codes that styleText does not give are an error: nobody would see that they are lost. */
export function runsOf(printed: string): readonly (readonly Run[])[] {
  const lines: Run[][] = [[]];
  const styles = new Set<string>();
  for (const part of printed.split(/(\u001B\[\d+m|\n)/)) {
    const code = /^\u001B\[(\d+)m$/.exec(part)?.[1];
    if (code !== undefined) restyle(styles, Number(code));
    else if (part === "\n") lines.push([]);
    else if (part !== "") lines.at(-1)?.push({ text: part, style: [...styles].toSorted().join(" ") });
  }
  return lines;
}

function restyle(styles: Set<string>, code: number): void {
  const starts = STARTS.get(code);
  if (code === 0) styles.clear();
  else if (code === 22) for (const name of ["bold", "dim"]) styles.delete(name);
  else if (code === 39) for (const name of COLOURS) styles.delete(name);
  else if (starts === undefined) throw new Error(`No picture of the terminal code ${code}.`);
  else {
    if (COLOURS.has(starts)) for (const name of COLOURS) styles.delete(name);
    styles.add(starts);
  }
}

export function drawTerminal(printed: string, { caption }: { readonly caption: string }): string {
  return drawRuns(runsOf(printed), { caption });
}

export function drawRuns(lines: readonly (readonly Run[])[], { caption }: { readonly caption: string }): string {
  const widest = Math.max(...lines.map(cellsOf));
  const [width, height] = [Math.ceil(widest * CELL + 2 * PADDING), lines.length * LINE_HEIGHT + 2 * PADDING];
  const texts = lines.flatMap((line, index) => drawLine(line, PADDING + (index + 0.75) * LINE_HEIGHT));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve">
  <title>${escaped(caption)}</title>
  <style>${STYLE}</style>
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${texts.join("\n")}
</svg>
`;
}

/** Each run has its place and length, so that frames stay aligned in whatever font the reader has. */
function drawLine(line: readonly Run[], y: number): readonly string[] {
  let cell = 0;
  return line.map((run) => {
    const x = (PADDING + cell * CELL).toFixed(1);
    const cells = cellsOf([run]);
    cell += cells;
    return `  <text${run.style === "" ? "" : ` class="${run.style}"`} x="${x}" y="${y}" textLength="${(cells * CELL).toFixed(1)}">${escaped(run.text)}</text>`;
  });
}

const cellsOf = (line: readonly Run[]): number => line.reduce((sum, { text }) => sum + [...text].length, 0);

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
