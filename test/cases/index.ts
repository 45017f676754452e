import type { PublicCase } from "./case.ts";
import { concurrencyCases } from "./concurrency.ts";
import { contentCases } from "./content.ts";
import { editCases } from "./edit.ts";
import { globCases } from "./glob.ts";
import { grepCases } from "./grep.ts";
import { orderCases } from "./order.ts";
import { pathCases } from "./path.ts";
import { readCases } from "./read.ts";
import { tenancyCases } from "./tenancy.ts";

export const publicCases: ReadonlyMap<string, readonly PublicCase[]> = new Map([
  ["edit", editCases],
  ["content", contentCases],
  ["read", readCases],
  ["glob", globCases],
  ["grep", grepCases],
  ["path", pathCases],
  ["order", orderCases],
  ["concurrency", concurrencyCases],
  ["tenancy", tenancyCases],
]);
