import { readFileSync } from "node:fs";

/** This command's version; its package.json stands one directory above, built or not. */
export function version(): string {
  return (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string }).version;
}
