import { ServiceError } from "../http/errors.ts";
import { allowsVersion, namesEntityTag } from "../http/negotiation.ts";
import type { CustomerMap } from "./maps.ts";
import { entityTag } from "./respond.ts";

/** The request headers by which a change of a map depends on its version. Source: RFC 9110, section 13.1. */
export interface Conditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Throws `precondition_failed` unless a request's conditions allow a change of the map as it is. */
export function requireConditions({ ifMatch, ifNoneMatch }: Conditions, map: Pick<CustomerMap, "version">): void {
  const tag = entityTag(map);
  if (ifMatch !== undefined && !allowsVersion(ifMatch, tag))
    throw new ServiceError(
      "precondition_failed",
      `${isQuoted(ifMatch) ? "The map has changed" : "An ETag is in quotes"}: the map's is now ${tag}`,
    );
  if (namesEntityTag(ifNoneMatch, tag))
    throw new ServiceError("precondition_failed", `If-None-Match allows no change of this map: its ETag is ${tag}`);
}

function isQuoted(ifMatch: string): boolean {
  return ifMatch.includes('"');
}
