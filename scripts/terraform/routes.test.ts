import { beforeAll, describe, expect, it } from "vitest";
import { catalogue } from "../../functions/catalogue.ts";
import { functionsManifest } from "../../functions/manifest.ts";
import { scheduleFunctions, topicFunctions } from "../../functions/workers.ts";
import { pathOf } from "../../infra/testing/sample-request.ts";
import type { Endpoint } from "../../shared/http/define-endpoint.ts";
import { Instances, keyOf, textArgument } from "./instances.ts";
import { Unknown } from "./language/value.ts";
import { ENVIRONMENTS, FUNCTIONS, functionsOf, HOSTS, planEnvironment } from "./roots.ts";
import { type Routed, readUrlMap, routed, type UrlMap } from "./url-map.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Returns the pattern of the paths that an endpoint's path template matches. */
function patternOf({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

it("the catalogue, functions.json and each environment list the same functions", async () => {
  const manifest = functionsManifest(catalogue, topicFunctions, scheduleFunctions).map(({ name }) => name);
  expect(FUNCTIONS.map(({ name }) => name)).toEqual(manifest);
  for (const environment of ENVIRONMENTS) {
    const plan = await planEnvironment(environment);
    const wanted = (await functionsOf(environment)).map(({ name }) => name);
    const deployed = new Instances(plan.instances()).of("google_cloudfunctions2_function");
    expect(deployed.map((one) => textArgument(one, "name")).sort()).toEqual(wanted.toSorted());
    expect(deployed.map(({ arguments: { build_config } }) => build_config)).toEqual(
      deployed.map((one) => [expect.objectContaining({ entry_point: textArgument(one, "name") })]),
    );
    expect(plan.refusals()).toEqual([]);
  }
});

describe.each(ENVIRONMENTS)("the URL map of %s", (environment) => {
  let instances: Instances;
  let map: UrlMap;
  let endpoints: readonly Endpoint[];

  beforeAll(async () => {
    const deployed = (await functionsOf(environment)).map(({ name }) => name);
    endpoints = catalogue.filter(({ name }) => deployed.includes(name));
    instances = new Instances((await planEnvironment(environment)).instances());
    const [front] = instances.of("google_compute_url_map").filter(({ address }) => address.endsWith(".front"));
    if (front === undefined) throw new Error("There is no URL map named front");
    map = readUrlMap(front);
  });

  /** Returns the function behind a route, through its backend service, network endpoint group and Cloud Run service. */
  function functionBehind({ service }: Routed): string {
    const group = instances.named(instances.named(new Unknown(service)).arguments.backend);
    return textArgument(instances.named(group.arguments.cloud_run), "name");
  }

  const answers = (endpoint: Endpoint, method = endpoint.method, path = pathOf(endpoint)) =>
    functionBehind(routed(map, HOSTS[endpoint.api], method, path));

  it("routes each endpoint by its method and path, at the host of its API", () => {
    expect(endpoints.map((endpoint) => answers(endpoint))).toEqual(endpoints.map(({ name }) => name));
  });

  it("routes an unsupported method to a function of that path, which answers 405 with all methods of the path", () => {
    let tried = 0;
    for (const endpoint of endpoints)
      for (const method of METHODS) {
        const path = pathOf(endpoint);
        const known = endpoints.filter((one) => one.api === endpoint.api && patternOf(one).test(path));
        if (known.some((one) => one.method === method)) continue;
        const found = routed(map, HOSTS[endpoint.api], method, path);
        expect(known.map(({ name }) => name)).toContain(functionBehind(found));
        expect(found.headers).toEqual({ Allow: [...new Set(known.map((one) => one.method))].sort().join(", ") });
        tried += 1;
      }
    expect(tried).toBeGreaterThan(endpoints.length);
  });

  it("routes an unknown path to the function of the OpenAPI document, which answers 404 without key or store", () => {
    const unknown = (["users", "data"] as const).flatMap((api) => {
      const paths = endpoints
        .filter((one) => one.api === api)
        .flatMap((one) => [`${pathOf(one)}/x`, `/x${pathOf(one)}`, `${pathOf(one)}/`]);
      return ["/", "/x", ...paths]
        .filter((path) => !endpoints.some((one) => one.api === api && patternOf(one).test(path)))
        .map((path) => ({ api, path }));
    });
    const document = (api: string) => endpoints.find((one) => one.api === api && one.path === "/openapi.json");
    for (const { api, path } of unknown)
      for (const method of METHODS) {
        const found = routed(map, HOSTS[api], method, path);
        expect([path, functionBehind(found), found.headers]).toEqual([path, document(api)?.name, {}]);
      }
    expect([document("users")?.auth, document("data")?.auth]).toEqual(["none", "none"]);
  });

  it("treats a path of the other API as unknown", () => {
    for (const endpoint of endpoints) {
      const other = endpoint.api === "users" ? "data" : "users";
      if (endpoints.some((one) => one.api === other && patternOf(one).test(pathOf(endpoint)))) continue;
      expect(functionBehind(routed(map, HOSTS[other], endpoint.method, pathOf(endpoint)))).toBe(`docs-openapi-${other}`);
    }
  });

  it("routes to endpoints only, each with one backend and one network endpoint group", () => {
    const names = endpoints.map(({ name }) => name).sort();
    for (const type of ["google_compute_backend_service", "google_compute_region_network_endpoint_group"])
      expect(instances.of(type).map(keyOf).sort()).toEqual(names);
    const services = map.path_matcher.flatMap(({ default_service, route_rules }) => [
      default_service,
      ...route_rules.map(({ service }) => service),
    ]);
    const reached = new Set([map.default_service, ...services].map((service) => functionBehind({ service, headers: {} })));
    expect([...reached].sort()).toEqual(names);
  });
});
