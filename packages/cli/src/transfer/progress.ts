/** One line on a terminal that says how far a transfer is, at what rate and how long it will take; nothing where nobody watches. */
import { counted, size } from "../output.ts";

const EVERY_MS = 100;
const BAR = 20;

export interface Progress {
  /** Both so far. */
  readonly update: (files: number, bytes: number) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

export interface ProgressOptions {
  readonly what: string;
  /** Of all files, when it is known. */
  readonly totalFiles?: number;
  readonly totalBytes?: number;
  readonly out?: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;
  /** Units: milliseconds. */
  readonly now?: () => number;
}

export function createProgress({ what, totalFiles, totalBytes, out = process.stderr, now = () => performance.now() }: ProgressOptions): Progress {
  const started = now();
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    update: (files, bytes) => {
      if (!out.isTTY || now() - shownAt < EVERY_MS) return;
      shownAt = now();
      const seconds = (shownAt - started) / 1000;
      const rate = seconds > 0 ? bytes / seconds : 0;
      const share = totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, bytes / totalBytes);
      const parts = [
        totalFiles === undefined ? counted(files, "file") : `${files.toLocaleString("en-US")} of ${counted(totalFiles, "file")}`,
        totalBytes === undefined ? size(bytes) : `${size(bytes)} of ${size(totalBytes)}`,
        `${size(Math.round(rate))}/s`,
        ...(share === undefined || rate === 0 ? [] : [`${Math.ceil(((totalBytes ?? 0) - bytes) / rate)} s left`]),
      ];
      const bar = share === undefined ? "" : `[${"=".repeat(Math.round(share * BAR)).padEnd(BAR)}] `;
      const line = `${what} ${bar}${parts.join(", ")}`;
      out.write(`\r${line.slice(0, Math.max(20, (out.columns ?? 80) - 1))}\u001B[K`);
    },
    end: () => {
      if (out.isTTY && shownAt > Number.NEGATIVE_INFINITY) out.write("\r\u001B[K");
    },
  };
}
