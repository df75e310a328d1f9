import type { IncomingHttpHeaders } from "node:http";
import type { Preconditions } from "./preconditions.ts";
import { queryNumber } from "./request-target.ts";

/** Returns the conditions of a JSON API request. Throws a 400 for values that are not numbers. */
export function queryConditions(query: URLSearchParams): Preconditions {
  return {
    ...condition("ifGenerationMatch", queryNumber(query, "ifGenerationMatch")),
    ...condition("ifGenerationNotMatch", queryNumber(query, "ifGenerationNotMatch")),
    ...condition("ifMetagenerationMatch", queryNumber(query, "ifMetagenerationMatch")),
    ...condition("ifMetagenerationNotMatch", queryNumber(query, "ifMetagenerationNotMatch")),
  };
}

/** Returns the conditions of an XML API request, which are sent in headers. Throws a 400 for values that are not numbers. */
export function headerConditions(headers: IncomingHttpHeaders): Preconditions {
  const query = new URLSearchParams();
  const generation = headers["x-goog-if-generation-match"];
  const metageneration = headers["x-goog-if-metageneration-match"];
  if (generation !== undefined) query.set("ifGenerationMatch", String(generation));
  if (metageneration !== undefined) query.set("ifMetagenerationMatch", String(metageneration));
  return queryConditions(query);
}

function condition(name: keyof Preconditions, value: number | undefined): Preconditions {
  return value === undefined ? {} : { [name]: value };
}
