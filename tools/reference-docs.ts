/** Writes docs/reference/ from the code. */
import { writeFileSync } from "node:fs";
import { apiPage } from "./reference/api-page.ts";
import { environmentPage } from "./reference/environment-page.ts";
import { errorsPage } from "./reference/errors-page.ts";
import { limitsPage } from "./reference/limits-page.ts";

/** Each page with what makes it. */
export const REFERENCE: ReadonlyMap<string, () => string> = new Map([
  ["docs/reference/api.md", apiPage],
  ["docs/reference/errors.md", errorsPage],
  ["docs/reference/limits.md", limitsPage],
  ["docs/reference/environment.md", environmentPage],
]);

if (import.meta.main) for (const [path, make] of REFERENCE) writeFileSync(new URL(`../${path}`, import.meta.url), make());
