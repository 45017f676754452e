/** One question to the person at the terminal. */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

export interface AskOptions {
  readonly input?: Readable;
  readonly output?: Writable;
}

/** True for a yes; an input that ends without a line (Ctrl-D) is none. Ctrl-C is left to the process. */
export function agrees(question: string, { input = process.stdin, output = process.stdout }: AskOptions = {}): Promise<boolean> {
  output.write(question);
  return new Promise((resolve) => {
    // Not a terminal to readline: the line is edited, and Ctrl-C made a signal, by the terminal itself.
    const lines = createInterface({ input, terminal: false });
    let answer: string | undefined;
    lines.once("line", (line) => {
      answer = line.trim();
      lines.close();
    });
    // The promise that readline itself offers never settles when the input ends.
    lines.once("close", () => {
      if (answer === undefined) output.write("\n");
      resolve(/^y(es)?$/i.test(answer ?? ""));
    });
  });
}
