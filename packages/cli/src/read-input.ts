/** The content that a command is given: a file of this machine, or stdin to its end. */
import { createReadStream } from "node:fs";
import { HangoError, processLimits } from "hango";
import { say } from "./output.ts";

/** Errors: not_found for the file; too_large over the largest file, told before the rest is read. */
export async function readInput(file: string | undefined, path: string): Promise<Uint8Array> {
  if (file === undefined && process.stdin.isTTY) say("reading from the terminal; end with Ctrl-D on a line of its own");
  const most = processLimits.maxFileBytes;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file === undefined ? process.stdin : createReadStream(file)) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > most)
        throw new HangoError(
          "too_large",
          `${path} would hold more than the ${most} bytes that a file may have (HANGO_FS_MAX_FILE_BYTES). Nothing was written.`,
          { path },
        );
    }
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException | null)?.code;
    if (code === "ENOENT") throw new HangoError("not_found", `${String(file)} does not exist on this machine.`, { cause });
    if (code === "EISDIR") throw new HangoError("invalid_argument", `${String(file)} is a directory. For a whole tree use “hango import”.`, { cause });
    if (code === "EACCES" || code === "EPERM") throw new HangoError("forbidden", `${String(file)} can't be read by you.`, { cause });
    throw cause;
  }
  return Buffer.concat(chunks);
}
