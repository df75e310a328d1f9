import { type Api, type Endpoint, methodsOf } from "../../shared/http/define-endpoint.ts";
import { matchPath } from "../../shared/http/http-request.ts";

/** The target of a request to a base URL: an endpoint, or none, with the allowed methods of its path. Unknown paths have a target too. */
export type Route = { readonly endpoint: Endpoint } | { readonly endpoint: undefined; readonly allow: readonly string[] };

/** Maps host, path and method to one function, as the load balancer's URL map does in the cloud. */
export function route(catalogue: readonly Endpoint[], api: Api, method: string, path: string, isPreflight = false): Route {
  // Literal paths come before templates: `/admin/maps/monitored` is not a map's id.
  const onPath = catalogue
    .filter((endpoint) => endpoint.api === api && matchPath(endpoint.path, path))
    .sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")));
  // Any function of the path answers a CORS preflight, all in the same way.
  const endpoint =
    onPath.find((candidate) => methodsOf(candidate).includes(method) || isPreflight) ??
    (onPath.length > 0 ? undefined : otherwise(catalogue, api));
  return endpoint ? { endpoint } : { endpoint: undefined, allow: [...new Set(onPath.flatMap(methodsOf))].sort() };
}

/** The function that answers unknown paths, as in `terraform/modules/catalogue/routes.tf`. */
function otherwise(catalogue: readonly Endpoint[], api: Api): Endpoint | undefined {
  return catalogue.find((endpoint) => endpoint.api === api && endpoint.path === "/openapi.json");
}
