/** What is measured: each operation as bare statements and as a call of the library, which must answer the same count. */
import type { Operation } from "./operation.ts";
import { points } from "./point-operations.ts";
import { scans } from "./scan-operations.ts";

export const operations: readonly Operation[] = [...points, ...scans];
