import { databaseSubject } from "../model/subjects.ts";
import { bindIsolation } from "./bind.ts";

bindIsolation({ name: "pglite", open: () => databaseSubject("pglite", "pglite:"), calls: 50, stride: 101 });
