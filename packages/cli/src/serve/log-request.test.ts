import { describe, expect, it } from "vitest";
import { routeOf } from "./log-request.ts";

const agent = "3a5759bb-1406-82ac-b1d8-82d3f3c99058";

describe("the route in the log", () => {
  it.each([
    [`/v1/agents/${agent}/files/secret-project/salaries.md`, { route: "/v1/agents/{id}/files", agent }],
    [`/v1/agents/${agent.toUpperCase()}/files`, { route: "/v1/agents/{id}/files", agent }],
    [`/v1/agents/${agent}`, { route: "/v1/agents/{id}", agent }],
    [`/v1/agents/${agent}/tree.tar`, { route: "/v1/agents/{id}/tree.tar", agent }],
    ["/v1/agents", { route: "/v1/agents" }],
    ["/v1/audit", { route: "/v1/audit" }],
    ["/openapi.json", { route: "/openapi.json" }],
    ["/v1/agents/no-id/files/secret.md", { route: "other" }],
    ["/%00/\u001b[31m", { route: "other" }],
    ["", { route: "other" }],
    [`/${"a".repeat(41)}`, { route: "other" }],
  ])("never names a file: %s", (path, route) => {
    expect(routeOf(path)).toEqual(route);
  });
});
