import { expect, it } from "vitest";
import { ConnectFailure } from "./pg-failure.ts";

it.each([
  ["55000", "a database that takes no connections was answered with 500, as if a statement had been wrong"],
  ["XX000", "a pooler says so of its own failures"],
  ["28P01", "the password is wrong"],
  ["57P03", "the server is starting"],
])("a refused connection is unavailable, whatever the server says of it: %s (%s)", (code) => {
  expect(new ConnectFailure(Object.assign(new Error("refused"), { code })).shown).toMatchObject({ code: "unavailable" });
});
