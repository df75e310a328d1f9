import { ServiceError } from "../http/errors.ts";
import type { CustomerMap, MapLimit } from "./maps.ts";
import { MAP_FIELDS, type MapField } from "./schemas.ts";

/** Returns a map's JSON for responses. A polygon has `geometry`, a standard map has `ids` and `country_code`. */
export function mapResponse({ id, name, description, type, geometry, ids, countryCode, owner, isMonitored }: CustomerMap) {
  const shape = geometry !== null ? { geometry } : { ids: ids ?? [], ...(countryCode === null ? {} : { country_code: countryCode }) };
  return { id, name, description, type, ...shape, owner, is_monitored: isMonitored };
}

/** Returns a map's JSON with only some of its fields, and its id. */
export function briefMapResponse(map: CustomerMap, fields: ReadonlySet<MapField>) {
  const { id, ...rest } = mapResponse(map);
  return {
    id,
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => MAP_FIELDS.some((field) => field === name && fields.has(field)))),
  };
}

/** Returns the `resource_exhausted` error for a change that would exceed a customer's limit. */
export function limitReached({ limit, most }: MapLimit): ServiceError {
  const detail =
    limit === "maps"
      ? `A customer may have at most ${most.toLocaleString("en")} maps; delete some first`
      : `The maps of a customer may hold at most ${most / 1024 ** 2} MiB of geometry together; delete some first`;
  return new ServiceError("resource_exhausted", detail, { headers: { "retry-after": "3600" } });
}

/** Returns a map's version as an entity tag (RFC 9110 §8.8.3). */
export function entityTag({ version }: Pick<CustomerMap, "version">): string {
  return `"${version}"`;
}

export function noSuchMap(): ServiceError {
  return new ServiceError("not_found", "There is no such map");
}
