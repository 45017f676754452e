import { createFileSystem } from "hango";
import { osStorage } from "hango/osfs";

/** Writes into a directory of this machine, which has to be there. */
export async function writeToday(directory: string): Promise<void> {
  const storage = osStorage({ directory });
  const fs = createFileSystem(storage);
  await fs.write("/notes/today.md", "# Today\n");
  await storage.close?.();
}
