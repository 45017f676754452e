/** One question to the person at the terminal. */
import { createInterface } from "node:readline";

/** The line that was typed, trimmed; "" when the input ends. Ctrl-C is left to the process. */
export function ask(question: string): Promise<string> {
  process.stdout.write(question);
  return new Promise((resolve) => {
    // Not a terminal to readline: the line is edited, and Ctrl-C made a signal, by the terminal itself.
    const lines = createInterface({ input: process.stdin, terminal: false });
    let answer = "";
    lines.once("line", (line) => {
      answer = line.trim();
      lines.close();
    });
    lines.once("close", () => resolve(answer));
  });
}

/** Only a yes is a yes. */
export async function agrees(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(question));
}
