import type { Storage } from "../storage.ts";

/** The four checked methods and the name: what every derived form is made from. */
export type Source = Pick<Storage, "name" | "list" | "read" | "write" | "delete">;
