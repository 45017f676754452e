import { bindLayers } from "./bind-layers.ts";
import { openPglite } from "./databases.ts";

const pglite = openPglite();
bindLayers({ name: "PGlite", open: pglite.tree, lacks: ["search"] });
