import { LIST_PAGE } from "../../limits.ts";
import type { FileInfo, ListOptions, Storage } from "../../storage.ts";

/** Lists every file asked for, a page at a time, so that memory stays bounded and an abort is seen between pages. */
export async function* listPages(list: Storage["list"], options: Omit<ListOptions, "limit">): AsyncGenerator<readonly FileInfo[], void> {
  let after = options.after;
  for (;;) {
    const page = await list({ ...options, ...(after === undefined ? {} : { after }), limit: LIST_PAGE });
    if (page.length > 0) yield page;
    if (page.length < LIST_PAGE) return;
    after = page.at(-1)?.path as string;
  }
}
