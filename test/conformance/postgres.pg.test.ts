import { bindStorage } from "./bind.ts";
import { bindScopes } from "./bind-scopes.ts";
import { openPostgres } from "./databases.ts";

const postgres = openPostgres();
bindStorage({ name: "Postgres", open: postgres.tree, lacks: ["search"] });
bindScopes("Postgres", postgres.storage);
