import { describe, expect, it } from "vitest";
import { parseSettings } from "./settings.ts";

const jwt = { HANGO_JWT_ISSUER: "https://id.example.com/", HANGO_JWT_AUDIENCE: "hango", HANGO_JWT_JWKS_URL: "https://id.example.com/keys" };

describe("the settings of the server", () => {
  it("are safe ones where nothing is set: this machine alone, fenced, bounded, no paths in the log, nothing pruned", () => {
    expect(parseSettings({})).toEqual({
      host: "127.0.0.1",
      port: 4264,
      trustedProxies: 0,
      allowUnfenced: false,
      databaseConnections: 10,
      maxConnections: 1_000,
      headersTimeoutMs: 10_000,
      requestTimeoutMs: 30_000,
      keepAliveTimeoutMs: 65_000,
      idleTimeoutMs: 120_000,
      shutdownMs: 10_000,
      logLevel: "info",
      logPaths: false,
      pruneEveryMs: 3_600_000,
    });
  });

  it("come from the environment, and the command line stands before it", () => {
    const environment = { PORT: "8080", HOST: "0.0.0.0", HANGO_LOG_PATHS: "1", HANGO_PRUNE_AUDIT: "365d", HANGO_PRUNE_MACHINE_FILES: "30d" };
    const settings = parseSettings(environment, { port: "9090" });
    expect(settings).toMatchObject({ port: 9090, host: "0.0.0.0", logPaths: true, pruneAuditMs: 365 * 86_400_000, pruneMachineFilesMs: 30 * 86_400_000 });
  });

  it("take a variable that is set to nothing for one that is not set", () => {
    expect(parseSettings({ PORT: "", HANGO_JWT_ISSUER: "", HANGO_LOG_LEVEL: "" })).toEqual(parseSettings({}));
  });

  it.each([
    ["PORT", "65536", "PORT must be a whole number from 0 to 65535."],
    ["PORT", "-1", "PORT must be a whole number from 0 to 65535."],
    ["PORT", "80a", "PORT must be a whole number from 0 to 65535."],
    ["HANGO_PUBLIC_URL", "files.example.com", "HANGO_PUBLIC_URL must be a URL such as https://files.example.com."],
    ["HANGO_TRUSTED_PROXIES", "11", "HANGO_TRUSTED_PROXIES must be a whole number from 0 to 10."],
    ["HANGO_TRUSTED_PROXIES", "10.0.0.2", "HANGO_TRUSTED_PROXIES must be a whole number from 0 to 10."],
    ["HANGO_DB_CONNECTIONS", "0", "HANGO_DB_CONNECTIONS must be a whole number from 1 to 1000."],
    ["HANGO_HEADERS_TIMEOUT", "10", "HANGO_HEADERS_TIMEOUT must be a time such as 30s, 90m, 12h or 30d, from 1s to 10m."],
    ["HANGO_HEADERS_TIMEOUT", "0s", "HANGO_HEADERS_TIMEOUT must be a time such as 30s, 90m, 12h or 30d, from 1s to 10m."],
    ["HANGO_REQUEST_TIMEOUT", "5s", "HANGO_REQUEST_TIMEOUT must not be shorter than HANGO_HEADERS_TIMEOUT."],
    ["HANGO_LOG_LEVEL", "loud", "HANGO_LOG_LEVEL must be debug, info, warn, error or silent."],
    ["HANGO_ALLOW_UNFENCED", "yes", "HANGO_ALLOW_UNFENCED must be 1, 0, true or false."],
    ["HANGO_PRUNE_AUDIT", "23h", "HANGO_PRUNE_AUDIT must be a time such as 30s, 90m, 12h or 30d, at least 1d."],
    ["HANGO_PRUNE_EVERY", "60d", "HANGO_PRUNE_EVERY must be a time such as 30s, 90m, 12h or 30d, from 1s to 2147483s."],
    ["HANGO_JWT_AUDIENCE", "hango", "HANGO_JWT_AUDIENCE is set without HANGO_JWT_ISSUER and HANGO_JWT_JWKS_URL: tokens need all of issuer, audience and keys."],
    ["HANGO_JWT_ROLE_CLAIM", "role", "HANGO_JWT_ROLE_CLAIM is set without HANGO_JWT_ISSUER and HANGO_JWT_AUDIENCE and HANGO_JWT_JWKS_URL"],
  ])("refuse %s=%s before anything is opened", (name, value, message) => {
    expect(() => parseSettings({ [name]: value })).toThrow(message);
  });

  it("names every variable that can't be, not only the first", () => {
    expect(() => parseSettings({ PORT: "x", HANGO_MAX_CONNECTIONS: "y" })).toThrow(/PORT must .*HANGO_MAX_CONNECTIONS must/);
  });

  it.each([
    ["http://id.example.com/keys", false],
    ["ftp://id.example.com/keys", false],
    ["not a url", false],
    ["http://localhost.example.com/keys", false],
    ["http://127.0.0.1:8000/keys", true],
    ["https://id.example.com/keys", true],
  ])("take keys of tokens only over a channel that nobody can change them on: %s", (url, good) => {
    const parse = (): unknown => parseSettings({ ...jwt, HANGO_JWT_JWKS_URL: url }).jwt;
    if (good) expect(parse()).toMatchObject({ jwksUrl: new URL(url) });
    else expect(parse).toThrow("HANGO_JWT_JWKS_URL must be an https:// URL");
  });

  it("name the claims, with a default for each", () => {
    expect(parseSettings(jwt).jwt).toMatchObject({ claims: { tenant: "tenant_id", subject: "sub", role: "role" }, clockToleranceS: 30 });
    expect(parseSettings({ ...jwt, HANGO_JWT_TENANT_CLAIM: "org_id", HANGO_JWT_CLOCK_TOLERANCE: "5s" }).jwt).toMatchObject({
      claims: { tenant: "org_id" },
      clockToleranceS: 5,
    });
  });
});
