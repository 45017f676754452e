/** vitest's global set-up: one Postgres for all test files, or the server that HANGO_TEST_POSTGRES_URL names. */
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A superuser's URL. Take a database of your own from it with `freshDatabase`. */
    readonly postgresUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["HANGO_TEST_POSTGRES_URL"];
  const server = given === undefined || given === "" ? await startPostgres() : undefined;
  project.provide("postgresUrl", server?.url ?? given ?? "");
  return async () => server?.stop();
}
