import type { PublicCase } from "./case.ts";
import { concurrencyCases } from "./concurrency.ts";
import { contentCases } from "./content.ts";
import { exactEditCases } from "./exact-edit.ts";
import { editCases } from "./edit.ts";
import { exactContentCases } from "./exact-content.ts";
import { globShapeCases } from "./glob-shape.ts";
import { globCases } from "./glob.ts";
import { grepDialectCases } from "./grep-dialect.ts";
import { grepLineCases } from "./grep-line.ts";
import { grepCases } from "./grep.ts";
import { lostUpdateCases } from "./lost-update.ts";
import { orderCases } from "./order.ts";
import { pathNameCases } from "./path-names.ts";
import { pathCases } from "./path.ts";
import { readWindowCases } from "./read-window.ts";
import { readCases } from "./read.ts";
import { sessionViewCases } from "./session-view.ts";
import { tenancyCases } from "./tenancy.ts";

export const publicCases: ReadonlyMap<string, readonly PublicCase[]> = new Map([
  ["edit", editCases],
  ["exact edit", exactEditCases],
  ["content", contentCases],
  ["exact content", exactContentCases],
  ["read", readCases],
  ["read window", readWindowCases],
  ["glob", globCases],
  ["glob shape", globShapeCases],
  ["grep", grepCases],
  ["grep line", grepLineCases],
  ["grep dialect", grepDialectCases],
  ["path", pathCases],
  ["path names", pathNameCases],
  ["order", orderCases],
  ["concurrency", concurrencyCases],
  ["lost update", lostUpdateCases],
  ["tenancy", tenancyCases],
  ["session view", sessionViewCases],
]);
