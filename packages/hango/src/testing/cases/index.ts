/** Every conformance case, by topic. */
import type { CaseGroup } from "../case.ts";
import { abortCases } from "./abort.ts";
import { applyCases } from "./apply.ts";
import { contentCases } from "./content.ts";
import { contentTypeCases } from "./content-types.ts";
import { globCases } from "./glob.ts";
import { grepCases } from "./grep.ts";
import { lineCases } from "./lines.ts";
import { listCases } from "./list.ts";
import { pathCases } from "./paths.ts";
import { raceCases } from "./races.ts";
import { recordCases, searchCases } from "./search-record.ts";
import { statAndLsCases } from "./stat-ls.ts";
import { treeCases } from "./tree.ts";
import { versionCases } from "./versions.ts";

/** The cases as data: a name, what it needs, the files it starts from, and the steps. A document or a command can be made from them. */
export const storageCases: readonly CaseGroup[] = [
  pathCases,
  contentCases,
  contentTypeCases,
  treeCases,
  versionCases,
  listCases,
  statAndLsCases,
  lineCases,
  globCases,
  grepCases,
  searchCases,
  applyCases,
  recordCases,
  abortCases,
  raceCases,
];
