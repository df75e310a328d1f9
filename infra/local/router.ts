import type { Api, Endpoint } from "../../shared/http/define-endpoint.ts";
import { matchPath } from "../../shared/http/http-request.ts";

/** Where a request of a base URL goes: to an endpoint, or nowhere, with the methods that its path does take. */
export type Route = { readonly endpoint: Endpoint } | { readonly endpoint: undefined; readonly allow: readonly string[] };

/** What the load balancer's URL map does in the cloud: host and path and method to one function. */
export function route(catalogue: readonly Endpoint[], api: Api, method: string, path: string): Route {
  const onPath = catalogue.filter((endpoint) => endpoint.api === api && matchPath(endpoint.path, path));
  // A browser's question is answered by any function of the path, in the same way.
  const endpoint = onPath.find((candidate) => candidate.method === method || method === "OPTIONS");
  return endpoint ? { endpoint } : { endpoint: undefined, allow: onPath.map((candidate) => candidate.method) };
}
