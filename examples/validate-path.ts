import { isHangoError, validatePath } from "hango";

/** The rule that a path breaks, in words; undefined for a good one. */
export function brokenRule(path: string): string | undefined {
  try {
    validatePath(path);
    return undefined;
  } catch (error) {
    if (isHangoError(error, "invalid_path")) return error.message;
    throw error;
  }
}

for (const path of ["../etc/passwd", "docs//a.md", "/docs/a.md", "docs/a.md"]) console.log(`${path}: ${brokenRule(path) ?? "fine"}`);
