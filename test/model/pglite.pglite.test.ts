import { bindModel } from "./bind.ts";
import { databaseSubject } from "./subjects.ts";

bindModel("pglite", () => databaseSubject("pglite", "pglite:"), 150);
