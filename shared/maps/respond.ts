import { ServiceError } from "../http/errors.ts";
import { VERSION_CELLS } from "./cell-budget.ts";
import type { MapLimit } from "./map-usage.ts";
import type { CustomerMap } from "./maps.ts";
import { NO_SUCH_MAP } from "./schemas.ts";

/** Returns a map's JSON for responses. A polygon has `geometry`, a standard map has `ids` and `country_code`. */
export function mapResponse({ id, name, description, type, geometry, ids, countryCode, owner, isMonitored }: CustomerMap) {
  const shape = geometry !== null ? { geometry } : { ids: ids ?? [], ...(countryCode === null ? {} : { country_code: countryCode }) };
  return { id, name, description, type, ...shape, owner, is_monitored: isMonitored };
}

/** Returns a map's JSON with only some of its fields, and its id. */
export function briefMapResponse(map: CustomerMap, fields: ReadonlySet<string>) {
  const { id, ...rest } = mapResponse(map);
  return { id, ...Object.fromEntries(Object.entries(rest).filter(([name]) => fields.has(name))) };
}

/** Returns the `resource_exhausted` error for a change that would exceed a limit. It says what would be right, and when. */
export function limitReached(reached: MapLimit): ServiceError {
  const seconds = "retryAfterSeconds" in reached ? reached.retryAfterSeconds : 3600;
  return new ServiceError("resource_exhausted", limitDetail(reached), { headers: { "retry-after": String(seconds) } });
}

function limitDetail(reached: MapLimit): string {
  const most = reached.most.toLocaleString("en");
  switch (reached.limit) {
    case "maps":
      return `A customer may have at most ${most} maps; delete some first`;
    case "geometryBytes":
      return `The maps of a customer may hold at most ${reached.most / 1024 ** 2} MiB of geometry together; delete some first`;
    case "geometryChanges":
      return `The geometry of a map may be changed at most ${most} times in an hour; send this change again after ${reached.retryAfterSeconds} seconds`;
    case "monitoredCells":
      return `The monitored maps of a customer may have at most ${most} cells together and would have ${reached.wanted.toLocaleString("en")}; stop monitoring some first, or make this one smaller`;
    case "cellsOfOneChange":
      return `This change alone would store ${reached.wanted.toLocaleString("en")} cells, ${VERSION_CELLS} of them for any change; changes of a customer's monitored maps may store at most ${most} within an hour. Waiting does not help: ask support for more monitored cells`;
    case "cellsWritten":
      return `Changes of a customer's monitored maps may store at most ${most} cells within an hour of the clock; send this change again after ${reached.retryAfterSeconds} seconds`;
  }
}

/** Returns a map's version as an entity tag (RFC 9110 §8.8.3). */
export function entityTag({ version }: Pick<CustomerMap, "version">): string {
  return `"${version}"`;
}

export function noSuchMap(): ServiceError {
  return new ServiceError("not_found", NO_SUCH_MAP);
}
