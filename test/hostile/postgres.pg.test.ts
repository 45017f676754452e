import { inject } from "vitest";
import { freshDatabase } from "../support/fresh-database.ts";
import { bindHostile } from "./bind.ts";
import { databaseSubject } from "./subjects.ts";

bindHostile(
  "Postgres",
  async (world) => {
    const fresh = await freshDatabase(inject("postgresUrl"));
    const subject = await databaseSubject("postgres", fresh.url, world);
    return {
      ...subject,
      close: async () => {
        await subject.close();
        await fresh.drop();
      },
    };
  },
  100,
);
