import { spawn } from "node:child_process";

/** One command of the check. */
export interface CheckPart {
  readonly name: string;
  readonly command: string;
}

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** What the command said on both streams, in the order it came. */
  readonly output: string;
  /** Units: seconds. */
  readonly took: number;
}

/** Runs a part through the shell, which finds the tools that npm put in PATH. A command that can't start has failed. */
export function runPart({ name, command }: CheckPart): Promise<CheckResult> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const end = (ok: boolean): void => resolve({ name, ok, output, took: (performance.now() - start) / 1000 });
    child.once("error", (error) => {
      output += error.message;
      end(false);
    });
    child.once("close", (code) => end(code === 0));
  });
}
