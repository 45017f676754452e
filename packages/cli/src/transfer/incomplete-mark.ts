/** The file that stands in a directory while an export into it runs, and stays when it was killed: what is there is not all. */
export const INCOMPLETE_MARK = ".hango-export-incomplete";
/** The file that is being written; it gets its name when it is whole. */
export const PARTIAL = ".hango-export-partial";
