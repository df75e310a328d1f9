import { type Api, type Endpoint, methodsOf } from "../../shared/http/define-endpoint.ts";
import { matchPath } from "../../shared/http/http-request.ts";

/** The target of a request to a base URL: an endpoint, or none, with the allowed methods of its path. */
export type Route = { readonly endpoint: Endpoint } | { readonly endpoint: undefined; readonly allow: readonly string[] };

/** Maps host, path and method to one function, as the load balancer's URL map does in the cloud. */
export function route(catalogue: readonly Endpoint[], api: Api, method: string, path: string, isPreflight = false): Route {
  const onPath = catalogue.filter((endpoint) => endpoint.api === api && matchPath(endpoint.path, path));
  // Any function of the path answers a CORS preflight, all in the same way.
  const endpoint = onPath.find((candidate) => methodsOf(candidate).includes(method) || isPreflight);
  return endpoint ? { endpoint } : { endpoint: undefined, allow: [...new Set(onPath.flatMap(methodsOf))].sort() };
}
