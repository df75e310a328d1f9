import { existsSync, readdirSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call } from "../infra/testing/service.ts";
import { config } from "../shared/runtime/config.ts";
import { catalogue } from "./catalogue.ts";
import { functionsManifest } from "./manifest.ts";
import { scheduleFunctions, topicFunctions } from "./workers.ts";

const manifest = functionsManifest(catalogue, topicFunctions, scheduleFunctions);

describe("the catalogue", () => {
  it("lists every function once, under the name of its file", async () => {
    const files = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((name) => name.includes("/") && name.endsWith(".ts") && !name.endsWith(".test.ts"))
      // Runs in the browser.
      .filter((name) => !name.startsWith("console/"))
      .map((name) => `functions/${name}`);
    expect(manifest.map(({ entry }) => entry).sort()).toEqual(files.sort());
    for (const { entry } of manifest) expect(existsSync(entry)).toBe(true);
  });

  it("has no two functions that match the same request", () => {
    const clashes = catalogue.flatMap((one, index) =>
      catalogue
        .slice(index + 1)
        .filter((other) => one.api === other.api && one.method === other.method && overlap(one.path, other.path))
        .map((other) => `${one.name} and ${other.name}`),
    );
    expect(clashes).toEqual([]);
  });

  it("subscribes its topic functions to the topic of jobs, to its dead-letter topic, and to the topic of maps to measure", () => {
    const topics = topicFunctions.map(({ __endpoint }) => __endpoint.eventTrigger.eventFilters.topic);
    expect(topics).toEqual([config().topic, `${config().topic}-dead-letter`, config().measurementsTopic, config().landingsTopic]);
  });

  it("has no list without end: each has pages, or something else bounds it", () => {
    const lists = catalogue.filter(({ method, responses }) => method === "GET" && listsOf(responses[200]).length > 0);
    const whole = lists.filter(({ responses, query }) => !("next_cursor" in entriesOf(responses[200])) || !("cursor" in entriesOf(query)));
    expect(whole.map(({ name }) => name).sort()).toEqual(Object.keys(BOUNDED).sort());
    expect(lists.length).toBeGreaterThan(whole.length);
  });

  it.each(["users", "data"] as const)("matches the OpenAPI document of the %s API", async (api) => {
    const { status, body } = await call(api, "GET", "/openapi.json");
    expect(status).toBe(200);
    for (const { path, method, name } of catalogue.filter((endpoint) => endpoint.api === api))
      expect(body).toHaveProperty(["paths", path, method.toLowerCase(), "operationId"], name);
  });
});

/** The lists that have no pages, and what bounds each. */
const BOUNDED: Readonly<Record<string, string>> = {
  "aggregation-status": "the warnings of one job",
  "availability-list": "a row for each of five tables and day of data",
  "countries-list": "the countries of the deployment",
  "customers-me": "the countries and scopes of one key",
  "machine-accounts-list": "100 a customer",
  "maps-list-monitored": "ids only, of at most 1,000 maps: the operator cannot set more (MAPS_MAX)",
  "maps-show": "the ids of one map, 10,000",
  "realtime-data": "a row for each of at most 1,000 maps, in one document (MAPS_MAX)",
};

const WithEntries = v.object({ entries: v.record(v.string(), v.unknown()) });
const Wrapping = v.object({ wrapped: v.unknown() });

/** Returns the members of an object's schema; of another schema, none. */
function entriesOf(schema: unknown): Record<string, unknown> {
  return v.is(WithEntries, schema) ? schema.entries : {};
}

/** Returns the names of the members of a response that are lists. */
function listsOf(schema: unknown): string[] {
  const isList = (member: unknown): boolean =>
    v.is(v.object({ type: v.literal("array") }), member) || (v.is(Wrapping, member) && isList(member.wrapped));
  return Object.entries(entriesOf(schema)).flatMap(([name, member]) => (isList(member) ? [name] : []));
}

/** Returns whether some path matches both, and neither comes first, as the literal `/maps/list` comes before `/maps/{id}`. */
function overlap(one: string, other: string): boolean {
  if (one.includes("{") !== other.includes("{")) return false;
  const [segments, others] = [one.split("/"), other.split("/")];
  const agree = (segment: string, index: number): boolean =>
    segment === others[index] || segment.startsWith("{") || others[index]?.startsWith("{") === true;
  return segments.length === others.length && segments.every(agree);
}
