import { unknownGeographiesStatement } from "../geographies/lookup.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { invalidFields } from "../http/errors.ts";
import type { MapType } from "./schemas.ts";

/** The maximum number of unknown ids in the error. */
const NAMED_MAX = 20;

/** Throws `invalid_argument`, with the unknown ids, if some ids are not geographies of the type in the country. */
export async function checkGeographies(
  country: string,
  type: MapType,
  ids: readonly number[],
  warehouse: Pick<Warehouse, "query">,
  uid: string,
): Promise<void> {
  const unknown = await warehouse.query(unknownGeographiesStatement(country, type, ids), { customer: uid, purpose: "map-ids" });
  if (unknown.length === 0) return;
  const named = unknown.slice(0, NAMED_MAX).join(", ");
  const more = unknown.length > NAMED_MAX ? ` and ${unknown.length - NAMED_MAX} more` : "";
  throw invalidFields([{ pointer: "/ids", detail: `must be ids of ${type} in ${country}; these are not: ${named}${more}` }]);
}
