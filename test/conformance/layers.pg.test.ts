import { bindLayers } from "./bind-layers.ts";
import { openPostgres } from "./databases.ts";

const postgres = openPostgres();
bindLayers({ name: "Postgres", open: postgres.tree, lacks: ["search"] });
