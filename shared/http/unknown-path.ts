import { closestName } from "./closest-name.ts";
import type { Api } from "./define-endpoint.ts";
import { matchPath } from "./http-request.ts";

/** The path template of an endpoint, and its API. */
export interface KnownPath {
  readonly api: Api;
  readonly path: string;
}

const NAMES: Readonly<Record<Api, string>> = { users: "Users API", data: "Data API" };

/**
 * Returns the error text for a path that an API does not have: the API that has it, with its base URL if that is known, or the path that was
 * probably meant. It repeats nothing of the request.
 */
export function unknownPath(
  api: Api,
  path: string,
  known: readonly KnownPath[],
  baseUrls: Readonly<Record<Api, string | undefined>>,
): string {
  const wrong = `There is no such path in the ${NAMES[api]}`;
  const tidy = tidied(path);
  const meant = find(path, known, api) ?? find(tidy, known, api) ?? withoutId(tidy, known, api) ?? nearest(tidy, known, api);
  if (meant === undefined) return `${wrong}; GET /openapi.json lists its paths`;
  const base = baseUrls[meant.api];
  const at = base === undefined ? "" : `: ${base}${meant.path}`;
  return meant.api === api ? `${wrong}; did you mean ${meant.path}?` : `${wrong}; ${meant.path} is a path of the ${NAMES[meant.api]}${at}`;
}

/** Paths of the API that was asked come first, as both have `/docs`; then templates without parameters: `monitored` is not read as a map's id. */
function find(path: string, known: readonly KnownPath[], api: Api): KnownPath | undefined {
  const matching = known.filter((one) => matchPath(one.path, path));
  const found = [...matching.filter((one) => one.path === path), ...matching];
  return found.find((one) => one.api === api) ?? found[0];
}

/** Returns a path in lower case, without repeated slashes, a slash at the end, and `/api` or a version at its beginning. */
function tidied(path: string): string {
  return path
    .toLowerCase()
    .replace(/\/{2,}/g, "/")
    .replace(/(?<=.)\/$/, "")
    .replace(/^\/(?:api\/)?(?:v\d+(?:\.\d+)*|api)(?=\/)/, "");
}

/** Returns the path that lacks only its id at the end. */
function withoutId(path: string, known: readonly KnownPath[], api: Api): KnownPath | undefined {
  const found = known.filter((one) => one.path.startsWith(`${path}/{`) && one.path.indexOf("/", path.length + 1) < 0);
  return found.find((one) => one.api === api) ?? found[0];
}

/** Returns the path whose name is close to what was sent, of the API that was asked if it has one. */
function nearest(path: string, known: readonly KnownPath[], api: Api): KnownPath | undefined {
  const named = known.filter((one) => !one.path.includes("{"));
  for (const paths of [named.filter((one) => one.api === api), named]) {
    const name = closestName(
      path,
      paths.map((one) => one.path),
    );
    if (name !== undefined) return paths.find((one) => one.path === name);
  }
  return undefined;
}
