import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { PreviewResults } from "../aggregation/result-schemas.ts";
import { GeoIdsQuery } from "../countries/request-fields.ts";
import { FindGeographiesResponse } from "../geographies/schemas.ts";
import { AggregationBody } from "../products/catalogue.ts";
import { defineEndpoint, definePublicEndpoint, noInput, reply } from "./define-endpoint.ts";
import { Instant } from "./fields.ts";
import { openapiDocument } from "./openapi.ts";

const endpoint = definePublicEndpoint({
  file: "made/for-this-test",
  api: "data",
  method: "POST",
  path: "/made",
  summary: "Made for this test",
  params: noInput,
  query: v.strictObject({ geo_ids: GeoIdsQuery, start_time: v.optional(Instant) }),
  body: AggregationBody,
  requestHeaders: ["Idempotency-Key", "If-Match"],
  responses: { 200: v.strictObject({ done: v.boolean() }), 202: PreviewResults },
  responseHeaders: { 202: ["Location", "Retry-After", "ETag"] },
  handler: async () => reply(200, { done: true }),
});
const withKey = defineEndpoint({
  file: "made/with-key",
  api: "data",
  method: "GET",
  path: "/found",
  summary: "Made for this test, too",
  auth: {},
  params: noInput,
  query: noInput,
  body: noInput,
  responses: { 200: FindGeographiesResponse },
  dependencies: () => undefined,
  handler: async () => reply(200, { geographies: [], next_cursor: null }),
});
const document: unknown = JSON.parse(JSON.stringify(openapiDocument("data", [endpoint, withKey], "1.2.3")));
const operation = ["paths", "/made", "post"];
const bodyOf = (option: number) => [
  ...operation,
  "requestBody",
  "content",
  "application/json",
  "schema",
  "oneOf",
  String(option),
  "properties",
];

/** Returns the part of the document at a path. Fails the test if there is none. */
function at(...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => {
    expect(part, path.join(" ")).toHaveProperty([name]);
    return Reflect.get(Object(part), name);
  }, document);
}

describe("the OpenAPI document", () => {
  it("describes ids as numbers or strings of digits, and their maximum count", () => {
    expect(at(...bodyOf(0), "geo_ids")).toEqual({
      type: "array",
      minItems: 1,
      maxItems: 10_000,
      items: {
        anyOf: [
          { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
          { type: "string", pattern: "^\\d{1,16}$" },
        ],
      },
    });
    expect(at(...bodyOf(1), "origin_geo_ids")).toEqual(at(...bodyOf(0), "geo_ids"));
  });

  it("describes times as times or dates", () => {
    const time = { type: "string", anyOf: [{ format: "date-time" }, { format: "date" }], examples: ["2026-11-01T00:00:00Z"] };
    expect(at(...bodyOf(0), "start_time")).toEqual(time);
    expect(at(...bodyOf(1), "end_time")).toEqual(time);
    expect(at(...operation, "parameters")).toContainEqual({ name: "start_time", in: "query", required: false, schema: time });
  });

  it.each(["trips", "a", `a${"0".repeat(63)}`, "", "1a", "A", "a-b", "../x", `a${"0".repeat(64)}`, "a\n"])(
    "has the service's pattern for the measure %j of a matrix",
    (measure) => {
      const pattern = new RegExp(v.parse(v.string(), at(...bodyOf(1), "measure", "pattern")));
      const body = { agg_type: "odm", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", measure };
      expect(v.is(AggregationBody, { ...body, start_time: "2026-11-01", end_time: "2026-11-02" })).toBe(pattern.test(measure));
    },
  );

  it("has the request headers", () => {
    const headers = { "Idempotency-Key": "string", "If-Match": "string" };
    for (const [name, type] of Object.entries(headers))
      expect(at(...operation, "parameters")).toContainEqual(
        expect.objectContaining({ name, in: "header", required: false, schema: expect.objectContaining({ type }) }),
      );
  });

  it("has the response headers of each status", () => {
    expect(Object.keys(Object(at(...operation, "responses", "200", "headers")))).toEqual(["x-request-id"]);
    expect(Object.keys(Object(at(...operation, "responses", "202", "headers")))).toEqual([
      "x-request-id",
      "Location",
      "Retry-After",
      "ETag",
    ]);
    const ofEveryAnswer = ["x-request-id", "RateLimit", "RateLimit-Policy"];
    expect(Object.keys(Object(at("components", "responses", "Problem", "headers")))).toEqual([...ofEveryAnswer, "Retry-After", "Allow"]);
    expect(Object.keys(Object(at("paths", "/found", "get", "responses", "200", "headers")))).toEqual(ofEveryAnswer);
  });

  it("has each schema of a response under its media type, in the dialect of OpenAPI 3.1", () => {
    const content = ["paths", "/found", "get", "responses", "200", "content"];
    expect(Object.keys(Object(at(...content)))).toEqual(["application/json", "application/geo+json"]);
    expect(at(...content, "application/json", "schema", "properties")).toHaveProperty("geographies");
    expect(at(...content, "application/geo+json", "schema", "properties", "type")).toEqual({ const: "FeatureCollection" });
    const text = JSON.stringify(document);
    expect(text).toContain('"prefixItems":[{"type":"number"},{"type":"number"}]');
    expect(text).not.toMatch(/"additionalItems"|"items":\[|"mediaType"/);
  });

  it("describes distance and speed as optional numbers", () => {
    const row = [...operation, "responses", "202", "content", "application/json", "schema", "properties", "preview", "items", "anyOf", "0"];
    expect(at(...row, "properties", "General_Distance")).toMatchObject({ type: "number" });
    expect(at(...row, "required")).toEqual(["batch_date", "origin_geo_id", "destination_geo_id", "trips"]);
  });
});
