import { HangoError, shownPath } from "../errors.ts";

/** Refuses content over a bound. Errors: too_large names size, bound and path. */
export function checkSize(sizeBytes: number, maxBytes: number, path: string): void {
  if (sizeBytes <= maxBytes) return;
  const shown = shownPath(path);
  throw new HangoError("too_large", `${shown} would hold ${sizeBytes} bytes; at most ${maxBytes} are allowed. Write less, or split it into several files.`, {
    path: shown,
    details: { sizeBytes, maxBytes },
  });
}
