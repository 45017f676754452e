import { describe, it } from "vitest";
import { storageConformance } from "hango/testing";
import { bindScopes } from "./bind-scopes.ts";
import { openFencedPostgres } from "./databases.ts";
import { filled } from "./seeded.ts";

const fenced = openFencedPostgres();
storageConformance({ describe, it }, { name: "Postgres behind row-level security", lacks: ["search"], create: (files) => filled(fenced.tree(), files) });
bindScopes("Postgres behind row-level security", fenced.storage);
