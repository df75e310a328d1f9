import { describe, expect, it } from "vitest";
import { type KnownPath, unknownPath } from "./unknown-path.ts";

const KNOWN: readonly KnownPath[] = [
  { api: "users", path: "/login-with-apikey" },
  { api: "users", path: "/admin/maps/{id}" },
  { api: "users", path: "/admin/maps/monitored" },
  { api: "users", path: "/openapi.json" },
  { api: "data", path: "/data-agg" },
  { api: "data", path: "/data-agg/status/{job_id}" },
  { api: "data", path: "/openapi.json" },
];
const BASES = { users: "https://users.example.com", data: "https://data.example.com" };
const asked = (api: "users" | "data", path: string): string => unknownPath(api, path, KNOWN, BASES);

describe("the error of an unknown path", () => {
  it.each([
    ["/login-with-apikey", "/login-with-apikey"],
    ["/login-with-apikey/", "/login-with-apikey"],
    ["/v1/login-with-apikey", "/login-with-apikey"],
    ["/admin/maps/sJk8WZHtIl5kj6c7oqtr", "/admin/maps/{id}"],
    ["/admin/maps/monitored", "/admin/maps/monitored"],
    ["/admin/maps/monitored/", "/admin/maps/monitored"],
    ["/login-with-api-key", "/login-with-apikey"],
  ])("names the API that has %s and its base URL", (path, template) => {
    const wrong = "There is no such path in the Data API";
    expect(asked("data", path)).toBe(`${wrong}; ${template} is a path of the Users API: https://users.example.com${template}`);
    const unset = { users: undefined, data: undefined };
    expect(unknownPath("data", path, KNOWN, unset)).toBe(`${wrong}; ${template} is a path of the Users API`);
  });

  it.each([
    ["/data-agg/", "/data-agg"],
    ["//data-agg", "/data-agg"],
    ["/v2/data-agg", "/data-agg"],
    ["/api/v1.0/data-agg", "/data-agg"],
    ["/api/data-agg", "/data-agg"],
    ["/Data-Agg", "/data-agg"],
    ["/data_agg", "/data-agg"],
    ["/data-aggs", "/data-agg"],
    ["/data-agg/status/858e39c5-0000-4000-8000-000000000000/", "/data-agg/status/{job_id}"],
    ["/openapi.jsn", "/openapi.json"],
    // Both APIs have this path.
    ["/openapi.json/", "/openapi.json"],
  ])("asks whether another path was meant: %s", (path, template) => {
    expect(asked("data", path)).toBe(`There is no such path in the Data API; did you mean ${template}?`);
  });

  it("names the path that lacks its id", () => {
    expect(asked("data", "/data-agg/status/")).toMatch(/; did you mean \/data-agg\/status\/\{job_id\}\?$/);
    expect(asked("users", "/data-agg/status")).toMatch(/ \/data-agg\/status\/\{job_id\} is a path of the Data API: /);
    expect(asked("users", "/data-agg/state")).toMatch(/ \/data-agg is a path of the Data API: /);
  });

  it.each(["/", "", "/nowhere", "/%2e%2e/etc", `/${"a/".repeat(4000)}`])("says where paths are listed: %j", (path) => {
    expect(asked("users", path)).toBe("There is no such path in the Users API; GET /openapi.json lists its paths");
  });
});
