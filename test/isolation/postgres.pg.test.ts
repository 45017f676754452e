import { inject } from "vitest";
import { faultyStorage } from "../../packages/hango/src/layers/faulty.ts";
import { freshDatabase } from "../support/fresh-database.ts";
import { databaseSubject } from "../model/subjects.ts";
import type { Subject } from "../model/world.ts";
import { bindIsolation } from "./bind.ts";

const open = async (): Promise<Subject> => {
  const fresh = await freshDatabase(inject("postgresUrl"));
  const subject = await databaseSubject("postgres", fresh.url);
  return {
    ...subject,
    close: async () => {
      await subject.close();
      await fresh.drop();
    },
  };
};

bindIsolation({ name: "postgres", open, through: (storage) => faultyStorage(storage, { on: "any", call: Number.MAX_SAFE_INTEGER }), calls: 50, stride: 61 });
