import { existsSync, readdirSync } from "node:fs";
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
    expect(topics).toEqual([config().topic, `${config().topic}-dead-letter`, config().measurementsTopic]);
  });

  it.each(["users", "data"] as const)("matches the OpenAPI document of the %s API", async (api) => {
    const { status, body } = await call(api, "GET", "/openapi.json");
    expect(status).toBe(200);
    for (const { path, method, name } of catalogue.filter((endpoint) => endpoint.api === api))
      expect(body).toHaveProperty(["paths", path, method.toLowerCase(), "operationId"], name);
  });
});

/** Returns whether some path matches both, and neither comes first, as the literal `/maps/list` comes before `/maps/{id}`. */
function overlap(one: string, other: string): boolean {
  if (one.includes("{") !== other.includes("{")) return false;
  const [segments, others] = [one.split("/"), other.split("/")];
  const agree = (segment: string, index: number): boolean =>
    segment === others[index] || segment.startsWith("{") || others[index]?.startsWith("{") === true;
  return segments.length === others.length && segments.every(agree);
}
