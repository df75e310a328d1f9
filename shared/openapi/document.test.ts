import * as v from "valibot";
import { describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { PreviewResults } from "../aggregation/result-schemas.ts";
import { resolveCountry } from "../countries/country-rules.ts";
import { parseCountries } from "../countries/parse-countries.ts";
import { GeoIdsQuery } from "../countries/request-fields.ts";
import { FindGeographiesResponse } from "../geographies/schemas.ts";
import { defineEndpoint, definePublicEndpoint, type Endpoint, noInput, reply } from "../http/define-endpoint.ts";
import { Instant } from "../http/fields.ts";
import { AggregationBody } from "../products/catalogue.ts";
import { withCountries } from "./country-code.ts";
import { openapiDocument } from "./document.ts";

const endpoint = definePublicEndpoint({
  file: "docs/made",
  api: "data",
  method: "POST",
  path: "/made",
  summary: "Made for this test",
  description: "Nothing more",
  params: noInput,
  query: v.strictObject({ geo_ids: GeoIdsQuery, start_time: v.optional(Instant) }),
  body: AggregationBody,
  requestHeaders: ["Idempotency-Key", "If-Match"],
  responses: { 200: v.pipe(v.strictObject({ done: v.boolean() }), v.title("Made")), 202: PreviewResults },
  responseHeaders: { 202: ["Location", "Retry-After", "ETag"] },
  handler: async () => reply(200, { done: true }),
});
const withKey = defineEndpoint({
  file: "docs/with-key",
  api: "data",
  method: "GET",
  path: "/found",
  summary: "Made for this test, too",
  description: "Nothing more",
  auth: {},
  params: noInput,
  query: noInput,
  body: noInput,
  responses: { 200: FindGeographiesResponse },
  refusals: ["not_found", "conflict", "job_failed", "expired"],
  dependencies: () => undefined,
  handler: async () => reply(200, { geographies: [], next_cursor: null }),
});
const table = parseCountries("infra/countries.json", builtIn);
const documentOf = (endpoints: readonly Endpoint[]) =>
  openapiDocument("data", {
    endpoints,
    examples: { "docs-made": { query: { geo_ids: [7] }, responses: {} } },
    countries: table,
    version: "1.2.3",
  });
const document: unknown = JSON.parse(JSON.stringify(documentOf([endpoint, withKey])));
const operation = ["paths", "/made", "post"];
const schema = (name: string) => ["components", "schemas", name];
const bodyOf = (name: string) => [...schema(name), "properties"];

/** Returns the part of the document at a path. Fails the test if there is none. */
function at(...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => {
    expect(part, path.join(" ")).toHaveProperty([name]);
    return Reflect.get(Object(part), name);
  }, document);
}

const INSTANT = "#/components/schemas/Instant";

describe("the OpenAPI document", () => {
  it("describes ids as numbers or strings of digits, and their maximum count", () => {
    const ids = { type: "array", minItems: 1, maxItems: 10_000, items: { $ref: "#/components/schemas/GeoId" } };
    expect(at(...bodyOf("ActivitiesRequest"), "geo_ids")).toMatchObject(ids);
    expect(at(...bodyOf("OdmRequest"), "origin_geo_ids")).toMatchObject(ids);
    expect(at(...schema("GeoId"), "oneOf")).toEqual([
      { type: "integer", format: "int64", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: "string", pattern: expect.any(String) },
    ]);
  });

  it("describes ids in a query as the numbers that they stand for, and has the example of an endpoint", () => {
    const items = { type: "integer", format: "int64", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
    expect(at(...operation, "parameters")).toContainEqual({
      name: "geo_ids",
      in: "query",
      required: true,
      description: "Comma separated or repeated, at most 500",
      schema: { type: "array", minItems: 1, maxItems: 500, items },
      example: [7],
    });
  });

  it.each([
    ...["1970-01-01", "2026-11-01T00:00:00Z", "2026-11-01t23:59z", "2026-11-01T24:00:00Z", "2026-11-01T00:00:00.123456789+02"],
    ...["2024-02-29", "2026-11-01T00:00:00 02:00", "2026-11-01T00:00-0230", "9998-12-31"],
    ...[
      "",
      "1969-12-31",
      "9999-01-01",
      "2026-13-01",
      "2026-02-30",
      "2026-04-31",
      "2026-00-10",
      "2026-11-01T24:01:00Z",
      "2026-11-01T00:00:60Z",
    ],
    ...["2026-11-01T00:00:00", "2026-11-01T00Z", "20261101", "2026-11-01T00:00:00+25:00", " 2026-11-01", "2026-11-01\n"],
  ])("has the service's pattern for the time %j", (text) => {
    expect(at(...bodyOf("ActivitiesRequest"), "start_time")).toMatchObject({ $ref: INSTANT });
    expect(new RegExp(v.parse(v.string(), at(...schema("Instant"), "pattern"))).test(text)).toBe(v.is(Instant, text));
  });

  it.each(["trips", "a", `a${"0".repeat(63)}`, "", "1a", "A", "a-b", "../x", `a${"0".repeat(64)}`, "a\n"])(
    "has the service's pattern for the measure %j of a matrix",
    (measure) => {
      const pattern = new RegExp(v.parse(v.string(), at(...bodyOf("OdmRequest"), "measure", "pattern")));
      const body = { agg_type: "odm", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", measure };
      expect(v.is(AggregationBody, { ...body, start_time: "2026-11-01", end_time: "2026-11-02" })).toBe(pattern.test(measure));
    },
  );

  it.each(["EST", "est", "eE", "NOR", "no", "SWE", "", "E", "ESTX", "E T"])(
    "refuses the country code %j exactly if the service does",
    (code) => {
      const pattern = new RegExp(v.parse(v.string(), at(...schema("CountryCode"), "pattern")));
      expect(pattern.test(code)).toBe(resolveCountry(table, code) !== undefined);
    },
  );

  it("is served with the countries of the deployment", () => {
    const { NOR } = table;
    if (!NOR) throw new Error("There is no Norway");
    const served = withCountries(documentOf([endpoint]), { XYZ: { ...NOR, aliases: ["XY"] } });
    expect(served).toHaveProperty("components.schemas.CountryCode.pattern", "^([Xx][Yy][Zz]|[Xx][Yy])$");
  });

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
    expect(Object.keys(Object(at("components", "responses", "Problem", "headers")))).toEqual([
      ...ofEveryAnswer,
      "Retry-After",
      "Allow",
      "WWW-Authenticate",
    ]);
    expect(Object.keys(Object(at("paths", "/found", "get", "responses", "200", "headers")))).toEqual(ofEveryAnswer);
  });

  it("has the statuses of errors that follow from an operation's form and its refusals, and one for all others", () => {
    const statuses = (...path: readonly string[]) => Object.keys(Object(at(...path, "responses")));
    expect(statuses(...operation)).toEqual(["200", "202", "400", "408", "412", "413", "415", "422", "default"]);
    expect(statuses("paths", "/found", "get")).toEqual(["200", "400", "401", "403", "404", "409", "410", "429", "default"]);
    expect(at("components", "responses", "Unauthorized")).toMatchObject({ description: expect.stringContaining("unauthenticated") });
  });

  it("says of answers that a client may keep how to ask whether they are still right", () => {
    const kept = Object(documentOf([{ ...withKey, isRevalidated: true }])).paths["/found"].get;
    expect(kept.parameters).toContainEqual(expect.objectContaining({ name: "If-None-Match", in: "header", required: false }));
    const headers = ["x-request-id", "RateLimit", "RateLimit-Policy", "ETag", "Cache-Control", "Vary"];
    for (const status of [200, 304]) expect(Object.keys(kept.responses[status].headers)).toEqual(headers);
    expect(kept.responses[304]).not.toHaveProperty("content");
  });

  it("has each schema of a response under its media type, in the dialect of OpenAPI 3.1", () => {
    const content = ["paths", "/found", "get", "responses", "200", "content"];
    expect(at(...content)).toEqual({
      "application/json": { schema: { $ref: "#/components/schemas/GeographyList" } },
      "application/geo+json": { schema: { $ref: "#/components/schemas/GeographyFeatureCollection" } },
    });
    expect(at(...schema("GeographyFeatureCollection"), "properties", "type")).toMatchObject({ type: "string", const: "FeatureCollection" });
    expect(at(...schema("LineString"), "properties", "coordinates", "items")).toEqual({
      type: "array",
      items: { type: "number", format: "double" },
      minItems: 2,
      maxItems: 2,
    });
  });

  it("describes distance and speed as optional numbers of 64 bits, and counts and ids as integers", () => {
    const row = schema("OdmRow");
    expect(at(...row, "properties", "General_Distance")).toMatchObject({ type: "number", format: "double" });
    expect(at(...row, "properties", "trips")).toMatchObject({ type: "integer", format: "int64", minimum: 0 });
    expect(at(...row, "required")).toEqual(["batch_date", "origin_geo_id", "destination_geo_id", "trips"]);
  });

  it("names the schema of each value of a discriminator", () => {
    expect(at(...schema("AggregationRequest"), "discriminator", "mapping", "odm")).toBe("#/components/schemas/OdmRequest");
    expect(at(...schema("Geometry"), "discriminator", "mapping", "Polygon")).toBe("#/components/schemas/Polygon");
  });

  it("cannot be made with an object that has no name, or with two of one name", () => {
    const answering = (response: v.GenericSchema) => () => documentOf([{ ...endpoint, responses: { 200: response } }]);
    expect(answering(v.strictObject({ done: v.boolean() }))).toThrow("An object has no title");
    expect(answering(v.pipe(v.strictObject({ other: v.boolean() }), v.title("FlowRow")))).not.toThrow();
    expect(answering(v.pipe(v.strictObject({ other: v.boolean() }), v.title("FlowRequest")))).toThrow(
      "Two schemas have the title FlowRequest",
    );
  });
});
