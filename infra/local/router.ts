import type { Api, Endpoint } from "../../shared/http/define-endpoint.ts";
import { matchPath } from "../../shared/http/http-request.ts";

/** The target of a request to a base URL: an endpoint, or none, with the allowed methods of its path. Unknown paths have a target too. */
export type Route = { readonly endpoint: Endpoint } | { readonly endpoint: undefined; readonly allow: readonly string[] };

/** Maps host, path and method to one function, as the load balancer's URL map does in the cloud. */
export function route(catalogue: readonly Endpoint[], api: Api, method: string, path: string): Route {
  // Literal paths come before templates: `/admin/maps/monitored` is not a map's id.
  const onPath = catalogue
    .filter((endpoint) => endpoint.api === api && matchPath(endpoint.path, path))
    .sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")));
  // Any function of the path answers a CORS preflight, all in the same way.
  const endpoint =
    onPath.find((candidate) => candidate.method === method || method === "OPTIONS") ??
    (onPath.length > 0 ? undefined : otherwise(catalogue, api));
  return endpoint ? { endpoint } : { endpoint: undefined, allow: onPath.map((candidate) => candidate.method) };
}

/** The function that answers unknown paths, as in `terraform/modules/catalogue/routes.tf`. */
function otherwise(catalogue: readonly Endpoint[], api: Api): Endpoint | undefined {
  return catalogue.find((endpoint) => endpoint.api === api && endpoint.path === "/openapi.json");
}
