import { bindStorage } from "./bind.ts";
import { bindScopes } from "./bind-scopes.ts";
import { openPglite } from "./databases.ts";

const pglite = openPglite();
bindStorage({ name: "PGlite", open: pglite.tree, lacks: ["search"] });
bindScopes("PGlite", pglite.storage);
