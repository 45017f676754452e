/** How many runs of the demo have marked a file: also one that was stopped halfway counts. */
import { type Storage, decodeText } from "hango";
import { markPattern } from "./script.ts";

export async function earlierRuns(storage: Storage, path: string): Promise<number> {
  const text = decodeText((await storage.read(path.slice(1))).bytes) ?? "";
  return Math.max(0, ...[...text.matchAll(markPattern())].map((mark) => Number(mark[1])));
}
