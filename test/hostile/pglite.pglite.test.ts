import { bindHostile } from "./bind.ts";
import { databaseSubject } from "./subjects.ts";

bindHostile("PGlite", (world) => databaseSubject("pglite", "pglite:", world), 60);
