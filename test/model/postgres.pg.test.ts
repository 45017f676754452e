import { inject } from "vitest";
import { freshDatabase } from "../support/fresh-database.ts";
import { bindModel } from "./bind.ts";
import { databaseSubject } from "./subjects.ts";

bindModel(
  "postgres",
  async () => {
    const fresh = await freshDatabase(inject("postgresUrl"));
    const subject = await databaseSubject("postgres", fresh.url);
    return {
      ...subject,
      close: async () => {
        await subject.close();
        await fresh.drop();
      },
    };
  },
  250,
);
