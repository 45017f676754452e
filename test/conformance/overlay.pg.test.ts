import { describe, it } from "vitest";
import { createOverlay } from "hango";
import { storageConformance } from "hango/testing";
import { openPostgres } from "./databases.ts";
import { halfHeld } from "./overlay-half.ts";
import { filled } from "./seeded.ts";

const postgres = openPostgres();
storageConformance(
  { describe, it },
  { name: "an overlay over Postgres", lacks: ["record"], create: async (files) => createOverlay({ base: await filled(postgres.tree(), files) }).storage },
);
halfHeld("Postgres", postgres.tree);
