import { describe, expect, it } from "vitest";
import { HangoError } from "../../errors.ts";
import { dropsConnection, failureOf, fromSqlError, isRepeated, isSqlError } from "./errors.ts";

const sqlError = (code: string, fields: object = {}): Error => Object.assign(new Error("secret of the server"), { code, ...fields });

describe("an error of the server", () => {
  it.each([
    ["40001", "retry", false, "unavailable"],
    ["40P01", "retry", false, "unavailable"],
    ["55P03", "retry", false, "unavailable"],
    ["53300", "retry", false, "unavailable"],
    ["57P03", "retry", false, "unavailable"],
    ["23505", "retry", false, "conflict"],
    ["26000", "retry", true, "unavailable"],
    ["42P05", "retry", true, "unavailable"],
    ["57P01", "unknown", true, "unavailable"],
    ["24000", "unknown", true, "unavailable"],
    ["08006", "unknown", true, "unavailable"],
    ["57014", "final", false, "timeout"],
    ["53400", "final", false, "timeout"],
    ["22021", "final", false, "invalid_content"],
    ["2201B", "final", false, "invalid_pattern"],
    ["25006", "final", false, "read_only"],
    ["53100", "final", false, "unavailable"],
    ["42501", "final", false, "internal"],
    ["23514", "final", false, "internal"],
    ["XX000", "final", false, "internal"],
  ])("with SQLSTATE %s is %s, drops the connection: %s, and is shown as %s", (state, failure, drops, code) => {
    const error = sqlError(state);
    expect([failureOf(error), dropsConnection(error), fromSqlError(error).code]).toEqual([failure, drops, code]);
    expect(fromSqlError(error).message).not.toContain("secret");
    expect(fromSqlError(error).cause).toBe(error);
  });

  it("of a quota's CHECK names the constraint", () => {
    expect(fromSqlError(sqlError("23514", { constraint: "quota_files" }))).toMatchObject({ code: "quota_exceeded", details: { constraint: "quota_files" } });
  });

  it("of a second event with one id says that the call was made before, and is not tried again", () => {
    const twice = sqlError("23505", { constraint: "audit_events_pkey" });
    expect([isRepeated(twice), isRepeated(fromSqlError(twice)), failureOf(twice)]).toEqual([true, true, "final"]);
    expect(isRepeated(sqlError("23505", { constraint: "audit_events_pkey_102008" }))).toBe(true);
    expect([isRepeated(sqlError("23505", { constraint: "agent_files_pkey" })), isRepeated(sqlError("23505")), isRepeated(null)]).toEqual([false, false, false]);
  });

  it("without a SQLSTATE leaves the outcome unknown and the connection in doubt", () => {
    for (const error of [new Error("Connection terminated unexpectedly"), sqlError("ECONNRESET"), sqlError("EPIPE"), "thrown text", null]) {
      expect([isSqlError(error), failureOf(error), dropsConnection(error), fromSqlError(error).code]).toEqual([false, "unknown", true, "unavailable"]);
    }
  });

  it.each(["42P01", "42703"])("with SQLSTATE %s names the whole command: “npx hango migrate up” alone would look at another database", (state) => {
    expect(fromSqlError(sqlError(state)).message).toContain("npx hango migrate up --db URL");
  });

  it("of a missing grant names the command: 'The database refused a statement of hango's own' told nobody what to do", () => {
    expect(fromSqlError(sqlError("42501")).message).toContain("npx hango migrate up --app-role ROLE");
  });

  it.each(["57P05", "25P03", "25P04"])("of the server's own limit %s on an idle session leaves the outcome unknown", (state) => {
    expect([failureOf(sqlError(state)), dropsConnection(sqlError(state)), fromSqlError(sqlError(state)).code]).toEqual(["unknown", true, "unavailable"]);
  });

  it("that hango made already stays as it is", () => {
    const made = new HangoError("timeout", "late");
    expect(fromSqlError(made)).toBe(made);
    expect(failureOf(made)).toBe("final");
  });
});
